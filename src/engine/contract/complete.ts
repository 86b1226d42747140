import type { PartsOf } from '../../generated/contract.js';
import type { RootField } from '../../generated/fields.js';
import type { Operations } from './operation.js';

type KeysOfEach<T> = T extends unknown ? keyof T : never;
type NameOf<N> = N extends `${string}.${infer F}` ? F : never;

type Unhandled = Exclude<keyof Operations, KeysOfEach<PartsOf<'controllers'>>>;
type Unresolved = Exclude<NameOf<RootField>, KeysOfEach<PartsOf<'resolvers'>>>;

// If an operation or a root field of a contract is in no class of a feature, the compiler fails here and names it.
true satisfies [Unhandled] extends [never] ? true : [Unhandled];
true satisfies [Unresolved] extends [never] ? true : [Unresolved];
