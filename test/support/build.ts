import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests that start processes run what is compiled; once for all of them, since they run side by side. */
export function setup(): void {
  const tool = fileURLToPath(new URL('../../tools/build-if-outdated.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The service could not be compiled: ${stderr}`);
}
