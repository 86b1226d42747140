/** The part of a CPU profile (`node --cpu-prof`) that the ladder reads. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** The node that ran at each sample. */
  readonly samples: readonly number[];
  /** The microseconds from the previous sample to each sample. */
  readonly timeDeltas: readonly number[];
  /** The start in microseconds, on the clock of `process.hrtime`. */
  readonly startTime: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
}

/** A function on the stack. Functions of V8 and of native packages have an empty `url`. */
export interface Frame {
  readonly functionName: string;
  readonly url: string;
}

/** The time between two moments, in microseconds on the clock of `process.hrtime`. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

interface Rule {
  readonly step: string;
  readonly url: RegExp;
  /** Absent: all functions of these files. */
  readonly name?: RegExp;
}

const IDLE = 'idle';
/** The step of frames that no rule names, and whose callers no rule names either. */
const EMPTY_ROUTE = 'empty route: Node and Fastify';

/**
 * The rules that give each function its step. The first rule that matches a frame decides. A frame that no rule matches
 * belongs to the step of its caller. So the time of a helper belongs to the step that called it.
 */
const RULES: readonly Rule[] = [
  { step: IDLE, url: /^$/, name: /^\(idle\)$/ },
  { step: 'collecting garbage', url: /^$/, name: /^\(garbage collector\)$/ },
  { step: 'the socket', url: /^$/, name: /^(\(program\)|write\w*String|writev|writeBuffer)$/ },
  {
    step: 'headers',
    url: /^node:_http_(outgoing|server)$|\/node_modules\/fastify\/lib\/reply\.js$/,
    name: /[hH]eader|^(writeHead|safeWriteHead|type)$/,
  },
  { step: 'headers', url: /\/dist\/engine\/http\/plain-request\.js$/, name: /[hH]eader|^(type|indexOf)$/ },
  { step: 'headers', url: /\/dist\/engine\/(http\/security-headers|contract\/caching)\.js$/ },
  { step: 'headers', url: /\/dist\/engine\/http\/steps\.js$/, name: /^(nameRequest|beginAnswer)$/ },
  { step: 'limits and caller', url: /\/dist\/engine\/(rate-limits|access|redis)\// },
  { step: 'limits and caller', url: /\/dist\/engine\/http\/(identification|loop-guard)\.js$/ },
  { step: 'log', url: /\/(dist\/engine\/http\/log\.js|node_modules\/(pino|sonic-boom)\/)/ },
  { step: 'hooks', url: /\/dist\/engine\/http\// },
  { step: 'hooks', url: /\/node_modules\/fastify\/lib\/hooks\.js$/ },
  { step: "Nest's execution context", url: /\/node_modules\/(@nestjs|rxjs)\// },
  { step: 'GraphQL: Apollo', url: /\/node_modules\/(@apollo|@as-integrations)\// },
  {
    step: 'GraphQL: limits, execution',
    url: /\/(dist\/engine\/graphql|node_modules\/graphql)\//,
  },
  { step: 'statement', url: /\/(dist\/engine\/database|node_modules\/(better-sqlite3|typeorm))\// },
  { step: 'entity', url: /\/dist\/(store|engine\/values)\// },
  {
    step: 'reading input',
    url: /\/dist\/(rules|generated)\/|\/dist\/engine\/contract\/(body|context\S*|input|json|operation|parameters|validate)\.js$/,
  },
  { step: 'answer', url: /\/dist\/engine\/(contract|formats|browse)\// },
  { step: 'idempotency and events', url: /\/dist\/engine\/(idempotency|events)\// },
  { step: EMPTY_ROUTE, url: /\/node_modules\/(fastify|find-my-way)\// },
];

/** The names of the steps, in the order of the table. */
export const STEPS: readonly string[] = [
  ...new Set([
    EMPTY_ROUTE,
    'the socket',
    'collecting garbage',
    ...RULES.map(({ step }) => step).filter((step) => step !== IDLE),
  ]),
];

/** The step that a rule gives to a function; undefined if the function belongs to the step of its caller. */
export function stepOf({ functionName, url }: Frame): string | undefined {
  return RULES.find((rule) => rule.url.test(url) && (rule.name?.test(functionName) ?? true))?.step;
}

/**
 * The share of each step in the time that a process computed in a window. The shares add up to 1. Samples are counted,
 * and not their times, so that the time in which the process waits for a processor belongs to no step.
 *
 * @throws Error when the profile has no sample in the window, or only idle samples
 */
export function sharesIn(
  { nodes, samples, timeDeltas, startTime }: Profile,
  { from, to }: Window,
): Map<string, number> {
  const steps = stepsOf(nodes);
  const counts = new Map<string, number>();
  let total = 0;
  let now = startTime;
  for (const [index, node] of samples.entries()) {
    now += timeDeltas[index] as number;
    const step = steps.get(node) as string;
    if (now < from || now > to || step === IDLE) continue;
    counts.set(step, (counts.get(step) ?? 0) + 1);
    total += 1;
  }
  if (total === 0) throw new Error('The profile has no sample in this window.');
  return new Map([...counts].map(([step, count]) => [step, count / total]));
}

/** The step of each node. A node without a step of its own has the step of its caller. */
function stepsOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const steps = new Map<number, string>();
  // The root comes first in a profile, and each node comes before its children.
  for (const { id, callFrame, children = [] } of nodes) {
    const own = steps.get(id) ?? stepOf(callFrame) ?? EMPTY_ROUTE;
    steps.set(id, own);
    for (const child of children) {
      steps.set(child, stepOf((byId.get(child) as ProfileNode).callFrame) ?? own);
    }
  }
  return steps;
}
