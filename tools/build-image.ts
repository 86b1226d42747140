import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFiles, megabytesOf, type Lock } from './image/files.ts';
import { checkStarts, type Image } from './image/starts.ts';

/**
 * Builds the image with buildah, starts it, and checks it. An ordinary user can do this, on a Debian with buildah and
 * mmdebstrap: `buildah unshare node_modules/.bin/node tools/build-image.ts FOLDER`. Inside of `buildah unshare`, the
 * user is root in a user namespace. The mounts are gone after the process has ended. FOLDER should be empty. The script
 * does not remove FOLDER.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const IMAGE = 'store-service';

const work = process.argv[2] ?? '';
if (!existsSync(work)) throw new Error('Name a folder to work in.');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
const nodeVersion = lock.packages['node_modules/node']?.version ?? '';
const driver = storageDriver();

async function main(): Promise<void> {
  const base = timed('the base image', baseImage);
  timed('the build', build);
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE)) as {
    Docker: Pick<Image, 'config'>;
  };
  const root = buildah('mount', buildah('from', '--pull-never', IMAGE));
  const image = { root, config: Docker.config };
  checkFiles(image, lock, base);
  await checkStarts(image, work);
}

function timed<T>(what: string, step: () => T): T {
  const begin = Date.now();
  const result = step();
  process.stdout.write(`${what} took ${Math.round((Date.now() - begin) / 1000)} s\n`);
  return result;
}

/** Kernels since 5.13 let an ordinary user mount overlays. On other machines, buildah copies the whole root folders. */
function storageDriver(): string {
  try {
    execFileSync('buildah', [...storage('overlay'), 'info'], { stdio: 'ignore' });
    return 'overlay';
  } catch {
    return 'vfs';
  }
}

function storage(name: string): string[] {
  return ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', name];
}

function buildah(command: string, ...rest: readonly string[]): string {
  const all = [...storage(driver), command, ...rest];
  return execFileSync('buildah', all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function npm(...rest: readonly string[]): string {
  return execFileSync('npm', rest, { encoding: 'utf8' }).trim();
}

/**
 * Makes an image with Debian, Node and npm, and gives it the name that the Dockerfile expects, because no registry of
 * images can be reached from CI. It has the Node of the lockfile, so the build fails if the Dockerfile names another
 * version.
 *
 * @returns the size of the image in MB
 */
function baseImage(): number {
  if (process.version !== `v${nodeVersion}`)
    throw new Error(`This is Node ${process.version}, but package-lock.json has ${nodeVersion}.`);
  const container = buildah('from', 'scratch');
  const root = buildah('mount', container);
  const packages = [
    '--variant=essential',
    '--include=libstdc++6,passwd',
    '--skip=chroot/mount/proc,chroot/mount/sys',
  ];
  const how = ['--quiet', '--mode=root', '--format=directory'];
  execFileSync('mmdebstrap', [...how, ...packages, 'bookworm', root], { stdio: 'inherit' });
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  npm('install', '--silent', '--global', '--prefix', join(root, 'usr/local'), 'npm@11');
  execFileSync('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
  // npm in the build uses the registry and the certificates of this machine.
  const settings = [`registry=${npm('config', 'get', 'registry')}`];
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    cpSync(certificates, join(root, 'usr/local/etc/npm.crt'));
    settings.push('cafile=/usr/local/etc/npm.crt');
  }
  writeFileSync(join(root, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`);
  const size = megabytesOf(root);
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container);
  buildah('commit', '--quiet', '--rm', container, `docker.io/library/node:${nodeVersion}-bookworm-slim`);
  return size;
}

/** Builds the image from the committed files. buildah itself reads .dockerignore. */
function build(): void {
  const context = join(work, 'context');
  mkdirSync(context);
  execFileSync('sh', ['-c', `git -C '${ROOT}' archive HEAD | tar -x -C '${context}'`]);
  // The format of Docker has the health check, which the format of the OCI lacks.
  const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never'];
  execFileSync('buildah', [...storage(driver), 'bud', ...how, '--tag', IMAGE, context], { stdio: 'inherit' });
}

await main();
