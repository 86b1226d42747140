import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pod, Probe } from '../fixtures/chart.js';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Lays out the file systems of a pod, and becomes its first process. The root file system is an overlay over the root
 * file system of this machine, and has the built service in /service. Everything is read-only, except the volumes,
 * /proc and /dev. All mounts end with the process.
 */
const SCRIPT = `
set -e
folder=$1 top=$2 user=$3 group=$4 data=$5
shift 5
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/upper" "$folder/scratch" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/scratch" "$folder/root"
cd "$folder/root"
mkdir -p service data usr/local/bin
touch usr/local/bin/node
mount --bind "$top/node_modules/node/bin/node" usr/local/bin/node
mount --bind -o ro "$top" service
mount --rbind /proc proc
mount --rbind /dev dev
mount -o remount,bind,ro "$folder/root"
mount -t tmpfs -o mode=1777 tmpfs tmp
[ -z "$data" ] || mount --bind "$data" data
exec chroot "$folder/root" setpriv --reuid="$user" --regid="$group" --groups="$group" --no-new-privs \\
  --inh-caps=-all --bounding-set=-all sh -c 'cd /service && exec "$@"' sh "$@"
`;

/** The data of Secrets: names, keys and values. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Image {
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** The parts of the Dockerfile that a container gets from its image. */
async function imageOf(): Promise<Image> {
  const text = await readFile(join(TOP, 'Dockerfile'), 'utf8');
  const variables = [...text.matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const command = /^CMD (\[.*\])$/m.exec(text)?.[1] ?? '[]';
  return {
    environment: Object.fromEntries(variables) as Record<string, string>,
    command: JSON.parse(command) as string[],
  };
}

/** A process that runs like the container of a pod: its environment, user, rights, mounts and signals. */
export class RunningPod {
  private static readonly running = new Set<RunningPod>();
  private text = '';
  private readonly ended: Promise<unknown[]>;

  private constructor(
    private readonly pod: Pod,
    readonly process: ChildProcess,
    private readonly folder: string,
  ) {
    this.ended = once(process, 'exit');
    RunningPod.running.add(this);
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  /** @param volume the folder behind the PersistentVolumeClaim of the pod, if it has one */
  static async start(pod: Pod, secrets: Secrets, volume = ''): Promise<RunningPod> {
    const [container] = pod.spec.containers;
    const { runAsUser, runAsGroup } = pod.spec.securityContext;
    const image = await imageOf();
    const own = container.env.map(({ name, value, valueFrom }) => {
      const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
      const given = value ?? secrets[secret]?.[key];
      if (given === undefined) throw new Error(`The Secret ${secret} has no ${key}.`);
      return [name, given];
    });
    const env = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOSTNAME: 'store-5d8f7c9b6d-x2x7k',
      // Every pod has these variables, even if service links are off.
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBERNETES_PORT: 'tcp://10.96.0.1:443',
      ...image.environment,
      ...(Object.fromEntries(own) as Record<string, string>),
    };
    const mount = container.volumeMounts.find(({ name }) => name === 'data');
    if ((mount?.mountPath ?? '') !== (volume && '/data'))
      throw new Error('The volume is not mounted at /data.');
    // The kubelet gives a volume to the fsGroup of the pod.
    if (volume !== '') await chown(volume, 0, runAsGroup).then(() => chmod(volume, 0o2775));
    const folder = await mkdtemp(join(tmpdir(), 'pod-'));
    const words = [folder, TOP, String(runAsUser), String(runAsGroup), volume];
    const command = container.command ?? image.command;
    const args = ['--mount', 'sh', '-c', SCRIPT, 'sh', ...words, ...command];
    return new RunningPod(pod, spawn('unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'] }), folder);
  }

  static async killAll(): Promise<void> {
    for (const pod of this.running) {
      pod.process.kill('SIGKILL');
      await pod.exit();
    }
  }

  get output(): string {
    return this.text;
  }

  get url(): string {
    return `http://127.0.0.1:${this.pod.spec.containers[0].ports?.find(({ name }) => name === 'http')?.containerPort}`;
  }

  /** The status that a probe gets, or 0 if there is no answer. */
  async asked(probe: 'startupProbe' | 'readinessProbe' | 'livenessProbe'): Promise<number> {
    const { path } = this.probe(probe).httpGet;
    return fetch(this.url + path).then(
      ({ status }) => status,
      () => 0,
    );
  }

  private probe(name: 'startupProbe' | 'readinessProbe' | 'livenessProbe'): Probe {
    const probe = this.pod.spec.containers[0][name];
    if (!probe) throw new Error(`The pod has no ${name}.`);
    return probe;
  }

  /** Waits until the startup probe succeeds, and then until the pod is ready. */
  async ready(): Promise<void> {
    const { periodSeconds, failureThreshold } = this.probe('startupProbe');
    const until = Date.now() + periodSeconds * failureThreshold * 1_000;
    for (const probe of ['startupProbe', 'readinessProbe'] as const) {
      while ((await this.asked(probe)) !== 200) {
        if (this.process.exitCode !== null || Date.now() > until) throw new Error(`Not ready: ${this.text}`);
        await sleep(100);
      }
    }
  }

  /** The data of the kernel about the process. */
  async status(): Promise<Record<string, string>> {
    const lines = (await readFile(`/proc/${this.process.pid}/status`, 'utf8')).trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(':\t') as [string, string]));
  }

  /** The options of the mount at a path inside of the pod. */
  async mountOptions(path: string): Promise<string[]> {
    const text = await readFile(`/proc/${this.process.pid}/mountinfo`, 'utf8');
    const found = text
      .split('\n')
      .map((line) => line.split(' '))
      .findLast((fields) => fields[4] === path);
    return found?.[5]?.split(',') ?? [];
  }

  async exit(): Promise<number | null> {
    const [code] = (await this.ended) as [number | null];
    RunningPod.running.delete(this);
    await rm(this.folder, { recursive: true, force: true });
    return code;
  }

  /** Ends the pod like the kubelet: SIGTERM, and SIGKILL after the time that the pod has. */
  async stop(): Promise<number | null> {
    const { terminationGracePeriodSeconds: seconds = 30 } = this.pod.spec;
    this.process.kill('SIGTERM');
    const killer = setTimeout(() => this.process.kill('SIGKILL'), seconds * 1_000);
    const code = await this.exit();
    clearTimeout(killer);
    return code;
  }
}

export async function freshVolume(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'volume-'));
  // Other users cannot enter the outer folder. In the pod, the inner folder is mounted without the outer folder.
  await mkdir(join(folder, 'data'));
  return join(folder, 'data');
}
