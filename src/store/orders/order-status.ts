/** From each state of an order, where it can go. What has no next state is final. */
export const NEXT_STATUSES = {
  pending: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled', 'refunded'],
  shipped: ['delivered'],
  delivered: ['refunded'],
  cancelled: [],
  refunded: [],
} as const;

export type OrderStatus = keyof typeof NEXT_STATUSES;

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return (NEXT_STATUSES[from] as readonly OrderStatus[]).includes(to);
}
