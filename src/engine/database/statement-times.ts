import { Histogram } from '../metrics/instruments.js';
import { currentSpan, SpanForm, type Span } from '../tracing/span.js';
import { Round, type Engine, Sql, textOf } from './sql.js';

/** From a tenth of a millisecond to five seconds. */
export const STATEMENT_BOUNDS = [0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5];

/** A statement, several statements that are sent together, or the summary of a statement. */
type Asked = Sql | Round | readonly (Sql | string)[] | string;

/** The durations of statements. If the request is recorded, each statement also gets a span. */
export class StatementTimes extends Histogram {
  constructor(private readonly engine: Engine) {
    super(STATEMENT_BOUNDS);
  }

  /** @param span the span to which the statement belongs */
  took(asked: Asked, begunAt: number, span: Span | undefined = currentSpan()): void {
    const endedAt = performance.now();
    this.observe((endedAt - begunAt) / 1_000);
    if (span !== undefined) spanOf(span, asked, this.engine, begunAt).end(endedAt);
  }

  /** A statement that failed gets a span, and nothing else. Its duration is not counted, because it says little. */
  failed(asked: Asked, begunAt: number, error: unknown, span: Span | undefined = currentSpan()): void {
    if (span === undefined) return;
    const failed = spanOf(span, asked, this.engine, begunAt);
    failed.endFailed(error);
  }
}

/** Runs a statement of a recorded request. The duration of the statement is not counted. */
export function recorded<T>(span: Span, summary: string, engine: Engine, ask: () => T): T {
  return spanOf(span, summary, engine).timed(ask);
}

/** The span of a statement, which the caller has to end. */
export function spanOf(parent: Span, asked: Asked, engine: Engine, begunAt = performance.now()): Span {
  if (typeof asked === 'string') return parent.child(formOf(shortened(asked), engine), {}, begunAt);
  if (asked instanceof Sql) return parent.child(formOf(summaryOf(asked, engine), engine), {}, begunAt);
  const several = asked instanceof Round ? asked.statements : asked;
  const summary = shortened(
    several.map((one) => (typeof one === 'string' ? one : summaryOf(one, engine))).join('; '),
  );
  const attributes = several.length > 1 ? { 'db.operation.batch.size': several.length } : {};
  return parent.child(formOf(summary, engine), attributes, begunAt);
}

function formOf(summary: string, engine: Engine): SpanForm {
  const known = forms[engine].get(summary);
  if (known !== undefined) return known;
  const form = new SpanForm(summary, 'client', {
    'db.system.name': engine === 'sqlite' ? 'sqlite' : 'postgresql',
    'db.query.summary': summary,
  });
  if (forms[engine].size < MOST_TEXTS) forms[engine].set(summary, form);
  return form;
}

const LONGEST = 255;
const MOST_TABLES = 4;
/**
 * The maximum number of cached texts of the query builder, and of cached forms of spans. There are few of both in
 * practice, but this is not guaranteed.
 */
const MOST_TEXTS = 200;
const bySite = { sqlite: new WeakMap<object, string>(), postgres: new WeakMap<object, string>() };
const byText = new Map<string, string>();
const forms = { sqlite: new Map<string, SpanForm>(), postgres: new Map<string, SpanForm>() };

/** The verb of a statement with its tables: `SELECT products`. It contains no values, and no other part of the text. */
function summaryOf(statement: Sql, engine: Engine): string {
  const { source } = statement;
  const known = typeof source === 'string' ? byText.get(source) : bySite[engine].get(source);
  if (known !== undefined) return known;
  const summary = summaryOfText(textOf(statement, engine));
  if (typeof source !== 'string') bySite[engine].set(source, summary);
  else if (byText.size < MOST_TEXTS) byText.set(source, summary);
  return summary;
}

const TABLE = /\b(?:INTO|FROM|JOIN|UPDATE) "?([a-z_][a-z0-9_]*)\b(?!\()/gi;
/** Words of SQL that `TABLE` finds in the place of a name. */
const NO_TABLES = new Set(['set', 'of', 'lateral', 'select', 'skip', 'nowait', 'only']);

function summaryOfText(text: string): string {
  const oneLine = text.trim().replaceAll(/\s+/g, ' ');
  const [, verb = ''] = /^\W*(\w+)/.exec(oneLine) ?? [];
  const tables = new Set(
    [...oneLine.matchAll(TABLE)]
      .map(([, name = '']) => name)
      .filter((name) => !NO_TABLES.has(name.toLowerCase())),
  );
  return shortened([verb.toUpperCase(), ...[...tables].slice(0, MOST_TABLES)].join(' '));
}

function shortened(summary: string): string {
  return summary.length > LONGEST ? `${summary.slice(0, LONGEST - 1)}…` : summary;
}
