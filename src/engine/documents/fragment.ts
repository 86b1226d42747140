import type { RowAccess } from '../access/row-access.js';
import type { Principal } from '../access/principal.js';
import { sql, type Sql, type Value } from '../database/sql.js';

/** The facts about a guarded field, or a field with arguments, when an operation runs. */
export interface Use {
  /** The rows that the caller may see in this field. */
  readonly reach: RowAccess;
  /** The validated arguments. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** The values of one execution. */
export interface Call {
  readonly principal: Principal;
  /** By the number that the compiler gave to the field. */
  readonly uses: readonly Use[];
}

/** A value that is known only when the statement runs. */
export type Parameter = (call: Call) => Value;

/** A part of SQL with the values between its texts. */
export class Fragment {
  constructor(
    readonly texts: readonly string[],
    readonly parameters: readonly Parameter[],
  ) {}
}

/** Puts fragments, values and texts of SQL together. */
export function fragment(
  texts: TemplateStringsArray,
  ...inserted: readonly (Fragment | Parameter | string)[]
): Fragment {
  const whole = [texts[0] as string];
  const parameters: Parameter[] = [];
  const append = (text: string): void => {
    whole.push((whole.pop() as string) + text);
  };
  for (const [index, one] of inserted.entries()) {
    if (typeof one === 'string') append(one);
    else if (one instanceof Fragment) {
      append(one.texts[0] as string);
      whole.push(...one.texts.slice(1));
      parameters.push(...one.parameters);
    } else {
      whole.push('');
      parameters.push(one);
    }
    append(texts[index + 1] as string);
  }
  return new Fragment(whole, parameters);
}

/** A statement that is prepared once for each connection, and bound to the values of each call. */
export class Statement {
  private readonly source: TemplateStringsArray;

  constructor(private readonly whole: Fragment) {
    this.source = Object.assign([...whole.texts], { raw: whole.texts });
  }

  of(call: Call): Sql {
    return sql(this.source, ...this.whole.parameters.map((parameter) => parameter(call)));
  }

  /** The statement with the value 1 for each parameter, to show its text and its plan. */
  get sample(): Sql {
    return sql(this.source, ...this.whole.parameters.map(() => 1));
  }
}
