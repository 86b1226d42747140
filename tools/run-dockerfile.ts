import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Executes the Dockerfile on a machine without a container engine. The system of this machine replaces the base image,
 * so it has to be a Debian. Each stage has a root folder of its own, which is laid over the root folder of the machine.
 * The last stage is started as its user, and its health is checked. This needs root and Linux. Start it with
 * `unshare --mount node tools/run-dockerfile.ts FOLDER`, so that its mounts end with its process. FOLDER should be
 * empty. The script does not remove it.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PORT = '3931';
const READY_MS = 60_000;
/** The most megabytes of the program and its packages in the image. */
const MOST_MB = 150;
const KEY = 'sk_only-for-this-run-0123456789-0123456789';

interface Stage {
  readonly folder: string;
  readonly root: string;
  readonly environment: Record<string, string>;
  workdir: string;
  user: string;
  command: readonly string[];
  health: readonly string[];
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const work = process.argv[2] ?? '';
if (!existsSync(work)) throw new Error('Name a folder to work in.');
const stages = new Map<string, Stage>();

async function main(): Promise<void> {
  const context = copiedContext();
  let stage: Stage | undefined;
  for (const { name, rest } of instructionsIn(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))) {
    process.stdout.write(`${name} ${rest}\n`);
    if (name === 'FROM') stage = laidOut(rest);
    else if (stage) carryOut(stage, { name, rest }, context);
    else throw new Error('The Dockerfile does not begin with FROM.');
  }
  if (!stage) throw new Error('The Dockerfile is empty.');
  await check(stage);
}

/** A line that ends in a backslash continues in the next line. Comments are removed. */
function instructionsIn(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      return { name, rest };
    });
}

/** The committed files, without the files that .dockerignore names. That file may contain only plain paths. */
function copiedContext(): string {
  const context = join(work, 'context');
  mkdirSync(context);
  execFileSync('sh', ['-c', `git -C '${ROOT}' archive HEAD | tar -x -C '${context}'`]);
  for (const path of readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean)) {
    if (/[*?!#\\]/.test(path)) throw new Error(`.dockerignore: ${path} is not a plain path`);
    rmSync(join(context, path), { recursive: true, force: true });
  }
  return context;
}

function laidOut(rest: string): Stage {
  const [, version, name = String(stages.size)] =
    /^node:([\d.]+)-bookworm-slim(?: AS (\w+))?$/.exec(rest) ?? [];
  if (version === undefined) throw new Error(`FROM ${rest} is not an image that this script can replace.`);
  const folder = join(work, name);
  const [root, upper, scratch] = ['root', 'upper', 'scratch'].map((each) => join(folder, each)) as [
    string,
    string,
    string,
  ];
  for (const each of [root, upper, scratch]) mkdirSync(each, { recursive: true });
  execFileSync('mount', [
    '-t',
    'overlay',
    'overlay',
    '-o',
    `lowerdir=/,upperdir=${upper},workdir=${scratch}`,
    root,
  ]);
  for (const each of ['/proc', '/dev']) execFileSync('mount', ['--rbind', each, root + each]);
  const node = join(ROOT, 'node_modules/node/bin/node');
  const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  if (found !== `v${version}`) throw new Error(`The image has Node ${version}, package-lock.json ${found}.`);
  cpSync(node, join(root, 'usr/local/bin/node'), { force: true });
  const isThere = readFileSync(join(root, 'etc/passwd'), 'utf8').includes('\nnode:');
  if (!isThere)
    execFileSync('chroot', [root, 'useradd', '--uid', '1000', '--non-unique', '--create-home', 'node']);
  const stage: Stage = { folder, root, environment: {}, workdir: '/', user: 'root', command: [], health: [] };
  stages.set(name, stage);
  return stage;
}

function carryOut(stage: Stage, { name, rest }: Instruction, context: string): void {
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest;
      return void mkdirSync(stage.root + rest, { recursive: true });
    case 'COPY':
      return copy(stage, rest.split(' '), context);
    case 'RUN':
      return void execFileSync('chroot', inside(stage, ['sh', '-c', rest]), {
        stdio: 'inherit',
        env: environmentOf(stage),
      });
    case 'ENV': {
      const [key = '', value = ''] = rest.split('=');
      stage.environment[key] = value;
      return;
    }
    case 'USER':
      stage.user = rest;
      return;
    case 'CMD':
      stage.command = JSON.parse(rest) as string[];
      return;
    case 'HEALTHCHECK':
      stage.health = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) as string[];
      return;
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return;
    default:
      throw new Error(`${name} is not understood here.`);
  }
}

function copy(stage: Stage, words: readonly string[], context: string): void {
  const other = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = resolve(stage.workdir, paths.at(-1) ?? '');
  for (const path of paths.slice(0, -1)) {
    const from = other === undefined ? join(context, path) : join(stages.get(other)?.root ?? '', path);
    const isInto = (paths.at(-1) ?? '').endsWith('/') || !statSync(from).isDirectory();
    const to = stage.root + (isInto ? join(target, path.split('/').at(-1) ?? '') : target);
    mkdirSync(dirname(to), { recursive: true });
    execFileSync('cp', ['-a', ...(statSync(from).isDirectory() && !isInto ? ['-T'] : []), from, to]);
    execFileSync('chown', ['-R', 'root:root', to]);
  }
}

/** The arguments of chroot for a command of a stage. */
function inside({ root, workdir, user }: Stage, command: readonly string[]): string[] {
  const script = 'cd "$0" && exec "$@"';
  return [`--userspec=${user}`, root, 'sh', '-c', script, workdir, ...command];
}

/** The variables that a build may need to reach the registry. None of them is in an image. */
function environmentOf({ environment }: Stage): Record<string, string> {
  const kept = Object.entries(process.env).filter(([key]) =>
    /^(npm_config_|NODE_EXTRA_CA_CERTS$|https?_proxy$|no_proxy$)/i.test(key),
  );
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    ...Object.fromEntries(kept as [string, string][]),
    ...environment,
  };
}

async function check(stage: Stage): Promise<void> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const left = Object.entries(lock.packages)
    .filter(([path, { dev }]) => dev === true && existsSync(`${stage.root}${stage.workdir}/${path}`))
    .map(([path]) => path);
  require(left.length === 0, `the image holds development dependencies: ${left.join(', ')}`);
  require(stage.user !== 'root', 'the service would run as root');
  const folder = `${stage.root}${stage.workdir}`;
  const parts = ['', '/node_modules', '/dist', '/pages/dist'].map((part) => megabytesOf(folder + part));
  const [all = 0, packages, program, pages] = parts;
  process.stdout.write(
    `besides Node, the image has ${all} MB: packages ${packages}, program ${program}, pages ${pages}\n`,
  );
  require(all <= MOST_MB, `the image has more than ${MOST_MB} MB besides Node`);
  sealed(stage);
  for (const round of ['first', 'second']) {
    const service = start(stage);
    const ended = new Promise<number | null>((done) => service.once('exit', done));
    await ready(stage, ended);
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/products`);
    require(answer.status === 200 &&
      answer.headers.get('x-total-count') ===
        (round === 'first' ? '0' : '1'), 'products are not served, or not kept');
    if (round === 'first') await createProduct();
    const me = execFileSync('ps', ['-o', 'user=', '-p', String(service.pid)], { encoding: 'utf8' }).trim();
    require(me !== 'root', 'the service runs as root');
    service.kill('SIGTERM');
    require((await ended) === 0, 'SIGTERM does not end the service with 0');
  }
  process.stdout.write(
    'the image works: ready, data kept, not root, read-only, no development dependencies, 0 at SIGTERM\n',
  );
}

function megabytesOf(folder: string): number {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
}

/** Makes the root folder read-only, except /tmp and the volume of the data. */
function sealed({ root, folder }: Stage): void {
  const volume = join(folder, 'volume');
  execFileSync('cp', ['-a', `${root}/data`, volume]);
  execFileSync('mount', ['--bind', volume, `${root}/data`]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', `${root}/tmp`]);
  execFileSync('mount', ['-o', 'remount,ro', root]);
}

function start(stage: Stage): ChildProcess {
  const env = {
    ...environmentOf(stage),
    PORT,
    HOST: '127.0.0.1',
    STORE_ADMIN_KEY: KEY,
    STORE_LOG_LEVEL: 'warn',
  };
  return spawn('chroot', inside(stage, stage.command), { env, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Waits until the health check of the image succeeds. */
async function ready(stage: Stage, ended: Promise<unknown>): Promise<void> {
  const env = { ...environmentOf(stage), PORT };
  const over = ended.then(() => 'over' as const);
  for (const begin = Date.now(); Date.now() - begin < READY_MS;) {
    try {
      execFileSync('chroot', inside(stage, stage.health), { env, stdio: 'ignore' });
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

function require(isRight: boolean, fault: string): void {
  if (!isRight) throw new Error(fault);
}

await main();
