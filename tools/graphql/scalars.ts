import type { Shape } from '../shape.ts';

/** A scalar: the kind of its values in an argument, and its TypeScript types. */
export interface Scalar {
  readonly kind: Shape['kind'];
  readonly input: string;
  readonly output: string;
}

/** Every scalar that a schema may use. The ids of this service are integers; GraphQL shows them as text. */
export const SCALARS: Readonly<Record<string, Scalar>> = {
  String: { kind: 'string', input: 'string', output: 'string' },
  Int: { kind: 'integer', input: 'number', output: 'number' },
  Float: { kind: 'number', input: 'number', output: 'number' },
  Boolean: { kind: 'boolean', input: 'boolean', output: 'boolean' },
  ID: { kind: 'integer', input: 'number', output: 'number | string' },
  SafeInt: { kind: 'integer', input: 'number', output: 'number' },
  DateTime: { kind: 'date', input: 'Date', output: 'Date' },
};
