import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PORT = '3931';
const READY_MS = 60_000;
const KEY = 'sk_only-for-this-run-0123456789-0123456789';
/** The files of /dev that the started image has. None of them keeps data. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

/** The part of the configuration of an image that a container engine uses to start the image. */
interface Config {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint?: readonly string[] | null;
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly WorkingDir: string;
  readonly StopSignal: NodeJS.Signals;
  readonly Volumes: Readonly<Record<string, object>>;
}

export interface Image {
  readonly root: string;
  readonly config: Config;
}

/** Starts the image two times as a container engine does, with a root file system that is read-only. */
export async function checkStarts(image: Image, work: string): Promise<void> {
  require(!['', 'root', '0'].includes(image.config.User), 'the image has no user of its own');
  seal(image, work);
  checkWritable(image);
  await checkRun(image, true);
  await checkRun(image, false);
  process.stdout.write(
    'the image works: ready, data kept, not root, read-only, exit code 0 at its stop signal, no development dependencies\n',
  );
}

/** Makes the root folder read-only, except /tmp and the volumes. */
function seal({ root, config }: Image, work: string): void {
  // The storage driver vfs mounts nothing at the root folder, and only a mount can become read-only.
  mount('--bind', root, root);
  for (const [index, path] of Object.keys(config.Volumes).entries()) {
    const volume = join(work, `volume-${index}`);
    execFileSync('cp', ['-a', root + path, volume]);
    mount('--bind', volume, root + path);
  }
  mount('-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', `${root}/tmp`);
  mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', `${root}/dev`);
  for (const name of DEVICES) {
    writeFileSync(`${root}/dev/${name}`, '');
    mount('--bind', `/dev/${name}`, `${root}/dev/${name}`);
  }
  mount('-o', 'remount,ro', `${root}/dev`);
  mount('-o', 'remount,bind,ro', root);
}

function mount(...rest: readonly string[]): void {
  execFileSync('mount', rest);
}

/** Tries to write. Root may write everywhere in the image, unless the file system is read-only. */
function checkWritable({ root, config }: Image): void {
  const right = [...Object.keys(config.Volumes), '/tmp'];
  const tried = ['/', '/dev', '/etc', '/home/node', '/run', '/var/tmp', config.WorkingDir, ...right];
  const script =
    'for each in "$@"; do (: >"$each/probe") 2>/dev/null && echo "$each" && rm "$each/probe"; done; true';
  for (const user of ['root', config.User]) {
    const command = [`--userspec=${user}`, root, 'sh', '-c', script, 'sh', ...tried];
    const written = execFileSync('chroot', command, { encoding: 'utf8' }).split('\n').filter(Boolean);
    const fault = `${user} can write in ${written.join(', ')}, instead of ${right.join(', ')}`;
    require(written.join(' ') === right.join(' '), fault);
  }
}

async function checkRun(image: Image, isFirst: boolean): Promise<void> {
  const service = start(image);
  try {
    const ended = new Promise<number | null>((done) => service.once('exit', done));
    await ready(image, ended);
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/products`);
    const isKept = answer.headers.get('x-total-count') === (isFirst ? '0' : '1');
    require(answer.status === 200 && isKept, 'products are not served, or their number is wrong');
    if (isFirst) await createProduct();
    const pid = firstProcessOf(service);
    if (pid === undefined) throw new Error('the service has ended');
    const user = execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    require(user !== '0', 'the service runs as root');
    process.kill(pid, image.config.StopSignal);
    const code = await Promise.race([ended, pause(READY_MS, 'nothing', { ref: false })]);
    require(code === 0, `after ${image.config.StopSignal}, the service ends with ${code}`);
  } finally {
    const pid = firstProcessOf(service);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
}

/**
 * Each start has an empty /tmp. The service is the first process of its own namespace, as in a container. For such a
 * process, a signal without a handler does nothing.
 */
function start({ root, config }: Image): ChildProcess {
  const script =
    'mount -t proc proc "$0/proc" && mount -t tmpfs -o mode=1777 tmpfs "$0/tmp" && exec chroot "$@"';
  const command = inside({ root, config }, [...(config.Entrypoint ?? []), ...config.Cmd]);
  const own = ['--mount', '--pid', '--fork'];
  return spawn('unshare', [...own, 'sh', '-c', script, root, ...command], {
    env: { ...environmentOf(config), HOST: '127.0.0.1', STORE_ADMIN_KEY: KEY, STORE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** The only child of `unshare`, seen from outside of its namespace. All processes of the namespace end with it. */
function firstProcessOf({ pid, exitCode, signalCode }: ChildProcess): number | undefined {
  if (exitCode !== null || signalCode !== null) return undefined;
  const [child] = /\d+/.exec(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? [];
  return child === undefined ? undefined : Number(child);
}

/** The arguments of chroot for a command in the image, as its user. */
function inside({ root, config }: Image, command: readonly string[]): string[] {
  const script = 'cd "$0" && exec "$@"';
  return [`--userspec=${config.User}`, root, 'sh', '-c', script, config.WorkingDir, ...command];
}

function environmentOf({ Env }: Config): Record<string, string> {
  const pairs = Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]);
  return { ...(Object.fromEntries(pairs) as Record<string, string>), PORT };
}

/** Waits until the health check of the image succeeds. */
async function ready(image: Image, ended: Promise<unknown>): Promise<void> {
  const [kind, ...command] = image.config.Healthcheck.Test;
  require(kind === 'CMD', 'the health check is not a command without a shell');
  const over = ended.then(() => 'over' as const);
  for (const begin = Date.now(); Date.now() - begin < READY_MS;) {
    try {
      execFileSync('chroot', inside(image, command), { env: environmentOf(image.config), stdio: 'ignore' });
      return;
    } catch {
      if ((await Promise.race([over, pause(200)])) === 'over') break;
    }
  }
  throw new Error('the service did not become healthy');
}

async function createProduct(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/products`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Chai', price: 18 }),
  });
  require(answer.status === 201, `a product is not created (${answer.status})`);
}

export function require(isRight: boolean, fault: string): void {
  if (!isRight) throw new Error(fault);
}
