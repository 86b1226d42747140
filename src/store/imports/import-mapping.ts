import { ValidationFailed } from '../../engine/errors/errors.js';
import type { Import } from './import.entity.js';
import type { Mapping } from '../transfer/mapping.js';

type Wanted = Pick<Import, 'kind' | 'format' | 'orderLines' | 'mapping'> & {
  readonly source: string | undefined;
};

/**
 * The rules of an import: those of its mapping, or those of the store's own format. The importer is loaded with the
 * first import, because most processes never need it.
 *
 * @throws ValidationFailed if the mapping or `order_lines` is wrong
 */
export async function mappingOf({ kind, format, orderLines, mapping, source }: Wanted): Promise<Mapping> {
  const [{ ownMapping }, { parseMapping }, { WrongUsage }] = await Promise.all([
    import('../transfer/mapping.js'),
    import('../transfer/mapping-file.js'),
    import('../transfer/failure.js'),
  ]);
  if (orderLines && (kind !== 'orders' || format !== 'csv')) {
    throw fault('#/order_lines', 'can be true only for orders in CSV');
  }
  if (mapping === null) return ownMapping(kind, source ?? 'store');
  let rules: Mapping;
  try {
    rules = parseMapping('mapping', mapping, kind, source);
  } catch (error) {
    if (error instanceof WrongUsage) throw fault('#/mapping', inWords(error.message));
    throw error;
  }
  if (kind === 'orders' && rules.items === null) {
    throw fault('#/mapping', 'has no «items», but an order needs lines');
  }
  if (kind === 'orders' && format === 'csv' && !orderLines) {
    throw fault('#/order_lines', 'must be true: in CSV with a mapping, each row is a line of an order');
  }
  return rules;
}

/** Like each detail of a fault, the words end without a full stop. */
function inWords(message: string): string {
  return message.replaceAll('--source', '«source» with the import').replaceAll('\n', ' ').replace(/\.$/, '');
}

function fault(pointer: string, detail: string): ValidationFailed {
  return new ValidationFailed([{ pointer, code: 'INVALID', detail }]);
}
