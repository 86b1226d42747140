import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { chartIn, manifestsIn, rendered } from '../tools/helm/chart.ts';
import { prove, requireThat, tell } from './options.ts';

const CHART = fileURLToPath(new URL('../deploy/helm/store/', import.meta.url));
const RENDERER = fileURLToPath(new URL('chart/render.go', import.meta.url));
/** The folder of the Go packages of Debian. */
const PACKAGES = '/usr/share/gocode';

const HELP = `npm run prove:chart

Proves that Helm and our tests read the chart in the same way. A program in Go renders the chart with the libraries of
Helm, for each set of values in deploy/helm/store/ci. The manifests and the notes must be the same as those of our
tests.
`;

await prove(HELP, {}, async () => {
  if (spawnSync('go', ['version']).error) {
    throw new Error(
      'There is no Go here: apt-get install golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev (Debian).',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'store-prove-'));
  try {
    const renderer = built(folder);
    const sets = await readdir(`${CHART}ci`);
    for (const name of sets) {
      const file = `${CHART}ci/${name}`;
      const texts = JSON.parse(execFileSync(renderer, [CHART, file], { encoding: 'utf8' })) as Record<
        string,
        string
      >;
      const own = rendered(
        chartIn(CHART),
        'store',
        parse(await readFile(file, 'utf8')) as Record<string, unknown>,
      );
      const others = Object.keys(texts)
        .filter((each) => each.endsWith('.yaml'))
        .toSorted()
        .flatMap((each) => manifestsIn({ name: each, text: texts[each] ?? '' }));
      requireThat(
        isDeepStrictEqual(own.manifests, others),
        () => `${name}: Go and our tests render different manifests.`,
      );
      requireThat(
        own.notes === texts['NOTES.txt']?.trim(),
        () => `${name}: Go and our tests render different notes.`,
      );
      tell(`${name}: ${others.length} manifests are the same`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

function built(folder: string): string {
  const renderer = join(folder, 'render');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: PACKAGES, GOCACHE: join(folder, 'cache') };
  execFileSync('go', ['build', '-o', renderer, RENDERER], { env, stdio: 'inherit' });
  return renderer;
}
