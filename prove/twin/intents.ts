export interface ProductMembers {
  readonly name?: string;
  /** Minor units. */
  readonly price?: number;
  readonly inStock?: boolean;
  /** Version 1 does not have it. */
  readonly description?: string | null;
}

export interface UserMembers {
  readonly name?: string;
  readonly email?: string;
}

export type ProductChange =
  | { readonly act: 'createProduct'; readonly members: ProductMembers }
  | { readonly act: 'updateProduct'; readonly id: number; readonly members: ProductMembers }
  | { readonly act: 'deleteProduct'; readonly id: number };

/** What somebody wants to be done, by whatever door. */
export type Intent =
  | ProductChange
  | { readonly act: 'replaceProduct'; readonly id: number; readonly members: ProductMembers }
  | { readonly act: 'setProductStock'; readonly id: number; readonly quantity: number | null }
  | { readonly act: 'batch'; readonly isAtomic: boolean; readonly changes: readonly ProductChange[] }
  | { readonly act: 'createUser'; readonly members: UserMembers }
  | { readonly act: 'replaceUser'; readonly id: number; readonly members: UserMembers }
  | { readonly act: 'updateUser'; readonly id: number; readonly members: UserMembers }
  | { readonly act: 'deleteUser'; readonly id: number; readonly anonymise: boolean }
  | {
      readonly act: 'createOrder';
      readonly userId: number;
      readonly items: readonly { readonly productId: number; readonly quantity: number }[];
    }
  | { readonly act: 'updateOrderStatus'; readonly id: number; readonly status: string };

/** Who asks, and what they say beside it. */
export interface Wish {
  readonly intent: Intent;
  readonly who: 'admin' | 'nobody' | 'reader';
  /** The version of the row that they edited. */
  readonly expectedVersion?: number;
  /** The code of the refusal where the model cannot know it. */
  readonly refusal?: string;
}
