import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Builds the pages once for all tests. Test files that built them at the same time would delete each other's
 * files.
 */
export function setup(): void {
  const tool = fileURLToPath(new URL('../../../tools/build-pages.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The pages could not be built: ${stderr}`);
}
