import type { RootField } from '../../generated/fields.js';
import type { Operations } from './operation.js';

/** Each feature adds its controller: `declare module '../../engine/contract/complete.js' { interface Controllers { … } }`. */
export interface Controllers {}

/** Each feature adds its resolver. */
export interface Resolvers {}

type KeysOfEach<T> = T extends unknown ? keyof T : never;
type NameOf<N> = N extends `${string}.${infer F}` ? F : never;

type Unhandled = Exclude<keyof Operations, KeysOfEach<Controllers[keyof Controllers]>>;
type Unresolved = Exclude<NameOf<RootField>, KeysOfEach<Resolvers[keyof Resolvers]>>;

// If an operation or a root field of a contract is in no class, the compiler fails here and names it.
true satisfies [Unhandled] extends [never] ? true : [Unhandled];
true satisfies [Unresolved] extends [never] ? true : [Unresolved];
