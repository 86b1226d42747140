import { titleOf, type Mutant } from './mutants.ts';

/** The result for a mutant. */
export type Verdict =
  | { readonly kind: 'noticed'; readonly by: string; readonly line: string }
  | { readonly kind: 'equivalent'; readonly reason: string }
  | { readonly kind: 'hole' }
  | { readonly kind: 'untried' };

export interface Judged {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

/** One line with the number, the change and the result. */
export function lineOf({ mutant, verdict }: Judged): string {
  const title = `${mutant.number}. ${titleOf(mutant)}`;
  switch (verdict.kind) {
    case 'noticed':
      return `${title}: noticed by ${verdict.by}: ${verdict.line}`;
    case 'equivalent':
      return `${title}: equivalent, because ${verdict.reason}`;
    case 'hole':
      return `${title}: HOLE`;
    default:
      return `${title}: not tried`;
  }
}

/** A row for each operator, a column for each stage, and the sums. */
export function tableOf(all: readonly Judged[], stages: readonly string[]): string {
  const columns = [...stages, 'equivalent', 'hole', 'untried'].filter(
    (column) => column !== 'untried' || all.some(({ verdict }) => verdict.kind === 'untried'),
  );
  const operators = [...new Set(all.map(({ mutant }) => mutant.operator))].toSorted();
  const rows = [...operators, 'all'].map((operator) => {
    const own = all.filter(({ mutant }) => operator === 'all' || mutant.operator === operator);
    const counts = columns.map((column) => own.filter(({ verdict }) => columnOf(verdict) === column).length);
    return [operator, ...[...counts, own.length].map((count) => (count === 0 ? '' : String(count)))];
  });
  const cells = [['', ...columns, 'all'], ...rows];
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

/** The mutants with one kind of verdict, under a heading; an empty text if there are none. */
export function listOf(all: readonly Judged[], kind: Verdict['kind'], heading: string): string {
  const own = all.filter(({ verdict }) => verdict.kind === kind);
  return own.length === 0 ? '' : `\n${heading}:\n${own.map((each) => `  ${lineOf(each)}`).join('\n')}\n`;
}

function columnOf(verdict: Verdict): string {
  return verdict.kind === 'noticed' ? verdict.by : verdict.kind;
}
