import type { Fault } from '../../engine/errors/errors.js';
import { CommandFailed, WrongUsage } from '../../store/transfer/failure.js';

/** The names of the members of a body on the command line, such as `--scopes`. */
export type Names = Readonly<Record<string, string>>;

/**
 * Validates the values of a command by the rules of a body or a query of the REST interface, and returns them.
 *
 * @throws WrongUsage with every fault
 */
export async function accepted<T extends object>(
  choose: (bodies: typeof import('../../generated/dto.js')) => new () => T,
  plain: object,
  names: Names,
): Promise<T> {
  const [{ validate }, bodies] = await Promise.all([
    import('../../engine/contract/validate.js'),
    import('../../generated/dto.js'),
  ]);
  const result = validate(choose(bodies), plain, 'body');
  if ('value' in result) return result.value;
  throw refusalOf(result.faults, names, plain);
}

/**
 * Turns all faults of a body into one error, in the words of the command line. The error is a `WrongUsage`, except if
 * all faults are about rows that do not exist.
 *
 * @param plain the body. If items of its lists are wrong, the message shows these items
 */
export function refusalOf(faults: readonly Fault[], names: Names, plain: object = {}): CommandFailed {
  const lines = faults.map(({ pointer = '', detail }) => {
    const [, member = '', index] = pointer.split('/');
    const list = (plain as Record<string, unknown>)[member];
    const item = Array.isArray(list) && index !== undefined ? ` ${JSON.stringify(list[Number(index)])}` : '';
    return `${names[member] ?? member}${item} ${detail}.`;
  });
  const Refusal = faults.every(({ code }) => code === 'UNKNOWN') ? CommandFailed : WrongUsage;
  return new Refusal(lines.join('\n'));
}
