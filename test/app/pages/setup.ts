import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Once for all tests: built by several at the same time, the pages would take each other's files away. */
export function setup(): void {
  const tool = fileURLToPath(new URL('../../../tools/build-pages.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The pages could not be built: ${stderr}`);
}
