export interface ProductMembers {
  readonly name?: string;
  /** Minor units. */
  readonly price?: number;
  readonly inStock?: boolean;
  /** Version 1 does not have this member. */
  readonly description?: string | null;
}

export interface UserMembers {
  readonly name?: string;
  readonly email?: string;
}

export type ProductChange =
  | { readonly action: 'createProduct'; readonly members: ProductMembers }
  | { readonly action: 'updateProduct'; readonly id: number; readonly members: ProductMembers }
  | { readonly action: 'deleteProduct'; readonly id: number };

/** A wanted change, independent of the door. */
export type Intent =
  | ProductChange
  | { readonly action: 'replaceProduct'; readonly id: number; readonly members: ProductMembers }
  | { readonly action: 'setProductStock'; readonly id: number; readonly quantity: number | null }
  | { readonly action: 'batch'; readonly isAtomic: boolean; readonly changes: readonly ProductChange[] }
  | { readonly action: 'createUser'; readonly members: UserMembers }
  | { readonly action: 'replaceUser'; readonly id: number; readonly members: UserMembers }
  | { readonly action: 'updateUser'; readonly id: number; readonly members: UserMembers }
  | { readonly action: 'deleteUser'; readonly id: number; readonly anonymise: boolean }
  | {
      readonly action: 'createOrder';
      readonly userId: number;
      readonly items: readonly { readonly productId: number; readonly quantity: number }[];
    }
  | { readonly action: 'updateOrderStatus'; readonly id: number; readonly status: string };

/** A wanted change with its caller and its condition. */
export interface Wish {
  readonly intent: Intent;
  readonly who: 'admin' | 'nobody' | 'reader';
  /** The condition of the wish: the row must have this version. */
  readonly expectedVersion?: number;
  /** The code of the refusal, if the service must refuse the wish for a reason that `effectOf` does not know. */
  readonly refusal?: string;
}
