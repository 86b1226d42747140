/** The next statuses of each status of an order. A status without a next status is final. */
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
