import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatOf } from '../formats/formats.js';
import type { Format, Rows } from '../formats/format.js';
import { BODIES } from '../../generated/bodies.js';
import type { Export } from '../../generated/contract.js';
import type { Answer, AnswerPlan } from './answer-plan.js';
import { countExport } from './exports-under-way.js';
import type { Present } from './representation.js';

/**
 * Makes the function that answers with an export, which may have any number of rows. The service reads rows only as
 * fast as the client reads the answer. If the client closes the connection, the service stops reading rows. If the
 * service cannot read the rows to their end, it cuts the connection. It does the same if the credential has ended.
 */
export function exportAnswer({ row, present, setCaching }: AnswerPlan): Answer {
  const body = BODIES[row.id];
  const writers = new Map<string, { readonly format: Format; readonly rows: Rows }>();
  for (const mediaType of row.answer.mediaTypes) {
    const format = formatOf(mediaType);
    if (format?.rows && body) writers.set(mediaType, { format, rows: format.rows(body) });
  }
  const [first = ''] = row.answer.mediaTypes;
  return async (request, reply, result) => {
    setCaching(request, reply);
    const { answerType, method } = request;
    const writer = writers.get(answerType ?? first);
    if (!writer) throw new Error(`${row.id} cannot write rows as ${answerType ?? first}.`);
    const { format, rows } = writer;
    reply
      .type(`${format.mediaType}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${row.tag}.${format.name}"`)
      .serializer((stream: unknown) => stream as string);
    countExport(request, reply);
    const confirm = () => request.server.confirmCaller(request);
    const texts = textsOf((result as Export<object>).batches, rows, present, confirm);
    // The first text is made before the answer begins. If this fails, the answer is a problem.
    const beginning = await texts.next();
    if (method === 'HEAD') await texts.return(undefined);
    return Readable.from(method === 'HEAD' ? [] : joined(beginning, texts), { objectMode: false });
  };
}

async function* textsOf(
  batches: Export<object>['batches'],
  { head, row }: Rows,
  present: Present,
  confirm: () => Promise<void> | undefined,
): AsyncGenerator<string, void> {
  let text = head;
  for await (const batch of batches) {
    await confirm();
    for (const item of batch) text += row(present(item));
    yield text;
    text = '';
    // Without this pause, a fast database and a fast client would occupy the event loop.
    await nextTurn();
  }
  if (text !== '') yield text;
}

async function* joined(
  beginning: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string> {
  if (beginning.done === true) return;
  yield beginning.value;
  yield* rest;
}
