import { parentPort, workerData } from 'node:worker_threads';
import type { Contracts } from './mutants.ts';
import { QuickStages, type Quick } from './quick-stages.ts';

/** The thread of `quick.ts`. It answers each pair of contracts with the notice of a stage, or null. */
const { contracts, until } = workerData as { readonly contracts: Contracts; readonly until: Quick };
const stages = await QuickStages.start(contracts, until);
async function answer(changed: Contracts): Promise<void> {
  const notice = await stages.notice(changed);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(notice);
}
parentPort?.on('message', (changed: Contracts) => void answer(changed));
