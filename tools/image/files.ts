import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { require, type Image } from './starts.ts';

/** The maximum number of megabytes that the image may add to its base image, which is Debian with Node and npm. */
const MOST_MB = 150;

export interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/** Checks what the image holds, and prints its largest parts. */
export function checkFiles({ root, config }: Image, { packages }: Lock, base: number): void {
  const folder = root + config.WorkingDir;
  const left = Object.entries(packages)
    .filter(([path, { dev }]) => dev === true && existsSync(join(folder, path)))
    .map(([path]) => path);
  require(left.length === 0, `the image holds development dependencies: ${left.join(', ')}`);
  const wanted = `v${packages['node_modules/node']?.version}`;
  const version = execFileSync('chroot', [root, 'node', '--version'], { encoding: 'utf8' }).trim();
  require(version === wanted, `the image has Node ${version}, but package-lock.json has ${wanted}`);
  const beyond = megabytesOf(root) - base;
  process.stdout.write(
    `The base image has ${base} MB. The image adds ${beyond} MB: ${largestOf(folder, 5).join(', ')}\n` +
      `The largest packages: ${largestOf(join(folder, 'node_modules'), 10).join(', ')}\n`,
  );
  require(beyond <= MOST_MB, `the image has more than ${MOST_MB} MB besides its base image`);
}

export function megabytesOf(folder: string): number {
  return Number(execFileSync('du', ['-smx', '--apparent-size', folder], { encoding: 'utf8' }).split('\t')[0]);
}

function largestOf(folder: string, count: number): string[] {
  return readdirSync(folder)
    .map((name) => ({ name, megabytes: megabytesOf(join(folder, name)) }))
    .toSorted((a, b) => b.megabytes - a.megabytes)
    .slice(0, count)
    .map(({ name, megabytes }) => `${name} ${megabytes}`);
}
