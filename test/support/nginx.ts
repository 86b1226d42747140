import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';

const NGINX = process.env['TEST_NGINX'] ?? '/usr/sbin/nginx';
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Whether the tests behind nginx can run. It says so where they cannot, and fails where they have to. */
export function isNginxThere(): boolean {
  if (existsSync(NGINX)) return true;
  const HOW_TO = 'install nginx, or set TEST_NGINX to where it is';
  if (process.env['TEST_REQUIRE_SERVERS'] === '1') throw new Error(`No nginx to test behind: ${HOW_TO}`);
  process.stderr.write(`The tests behind nginx are skipped: ${HOW_TO}.\n`);
  return false;
}

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the configuration of compose.yaml, with addresses of this machine in the place of those of the
 * containers, and waits until an instance answers through it.
 *
 * @param instances where store-1 and store-2 listen, as host:port
 * @param port where nginx listens; by default a free one
 */
export async function startNginx(instances: readonly [string, string], port?: number): Promise<Nginx> {
  const listening = port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'store-nginx-'));
  const shipped = await readFile(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');
  const here = shipped
    .replace('store-1:3000', instances[0])
    .replace('store-2:3000', instances[1])
    .replace('listen 80;', `listen 127.0.0.1:${listening};`);
  const places = TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const configuration = join(folder, 'nginx.conf');
  await mkdir(join(folder, 'logs'));
  await writeFile(
    configuration,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1; events {}
     http { access_log off; ${places} ${here} }`,
  );
  const nginx = spawn(NGINX, ['-p', folder, '-c', configuration], { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${listening}`;
  while (!(await isReady(url))) {
    if (nginx.exitCode !== null) throw new Error('nginx does not take its configuration.');
    await pause(50);
  }
  return { url, stop: () => stop(nginx, folder) };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function stop(nginx: ChildProcess, folder: string): Promise<void> {
  const ended = once(nginx, 'exit');
  nginx.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true });
}
