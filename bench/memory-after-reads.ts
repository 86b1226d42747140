import { commandOf, type Setup } from './contenders.ts';
import type { LoadProcess } from './load-process.ts';
import type { RequestKind } from './requests.ts';
import { ServerProcess } from './server-process.ts';
import { spreadOf, type Spread } from './statistics.ts';

/** The name for `--only`. */
export const MEMORY_AFTER_READS = 'memory-after-reads';
export const MEMORY_ROW = {
  name: MEMORY_AFTER_READS,
  title: 'memory after reads',
  target: { atMost: 230 },
};

const CLIENTS = 32;
/** The kinds of reads take turns of this length, so that each of them has many turns. */
const TURN_SECONDS = 2;
const KINDS: readonly RequestKind[] = [
  'getOne',
  'page',
  'pageOnce',
  'graphql',
  'graphqlUser',
  'graphqlOrders',
];

interface Reads {
  readonly products: number;
  /** The length of the reads, in seconds. The memory is measured after them. */
  readonly reads: number;
}

/** Resident memory after reads of all kinds, in millions of bytes. It is measured once, because it takes minutes. */
export async function measureMemoryAfterReads(
  name: 'service' | 'LIMIT',
  { products, reads }: Reads,
  setup: Setup,
  load: LoadProcess,
  signal: AbortSignal,
): Promise<Spread> {
  const server = await ServerProcess.start(commandOf(name, setup), signal);
  try {
    const settings = { products, port: server.port, key: setup.key, credentials: null, clients: CLIENTS };
    const end = performance.now() + reads * 1000;
    for (let turn = 0; performance.now() < end; turn += 1) {
      const kind = KINDS[turn % KINDS.length] as RequestKind;
      await load.run({ ...settings, kind, seed: turn, seconds: TURN_SECONDS });
    }
    return spreadOf([server.residentBytes() / 1e6]);
  } finally {
    await server.stop();
  }
}
