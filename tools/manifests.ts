import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { chartIn, rendered, type Manifest } from './helm/chart.ts';
import { yamlOf } from './helm/functions.ts';

/**
 * Writes `deploy/kubernetes` from the chart, for people who do not use Helm. The command is `npm run manifests`. A test
 * renders the chart again, and compares the result with the files.
 */

const ROOT = new URL('../', import.meta.url);
const FOLDER = new URL('deploy/kubernetes/', ROOT);
const SECRET = Object.fromEntries(
  ['STORE_DATABASE_URL', 'STORE_SECRET', 'STORE_ADMIN_KEY'].map((name) => [
    name,
    { name: 'store', key: name },
  ]),
);
const GENERATED = 'Written by "npm run manifests" from deploy/helm/store. See docs/operations.md.';

/** The files of `deploy/kubernetes` by their names. */
export async function plainManifests(): Promise<Record<string, string>> {
  const sqlite = manifestsFor({ database: 'sqlite' });
  const postgresql = manifestsFor({
    database: 'postgresql',
    autoscaling: { enabled: true },
    secretSettings: SECRET,
  });
  return {
    'sqlite.yaml': await file('One replica on SQLite.', sqlite),
    'postgresql.yaml': await file(
      'Several replicas on PostgreSQL. Create the Secret "store" first.',
      postgresql.filter(({ kind }) => kind !== 'Job'),
    ),
    'postgresql-migration.yaml': await file(
      'Runs the migrations. Before each new version, delete the Job, create it again, and wait for its end.',
      postgresql.filter(({ kind }) => kind === 'Job'),
    ),
  };
}

function manifestsFor(values: Readonly<Record<string, unknown>>): Manifest[] {
  const chart = chartIn(new URL('deploy/helm/store/', ROOT).pathname);
  return rendered(chart, 'store', values).manifests.map((manifest) => withoutHelm(manifest) as Manifest);
}

/** Without the labels and annotations that only Helm reads, at any depth. */
function withoutHelm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHelm);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !name.startsWith('helm.sh/') && name !== 'app.kubernetes.io/managed-by',
  );
  return Object.fromEntries(
    kept
      .map(([name, each]) => [name, withoutHelm(each)] as const)
      .filter(([name, each]) => name !== 'annotations' || Object.keys(each as object).length > 0),
  );
}

async function file(title: string, manifests: readonly Manifest[]): Promise<string> {
  const text = `# ${title}\n# ${GENERATED}\n${manifests.map(yamlOf).join('\n---\n')}`;
  return format(text, { ...(await resolveConfig(new URL('package.json', ROOT).pathname)), parser: 'yaml' });
}

function textOf(url: URL): string {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(await plainManifests())) {
    const url = new URL(name, FOLDER);
    if (textOf(url) === text) continue;
    writeFileSync(url, text);
    process.stdout.write(`wrote deploy/kubernetes/${name}\n`);
  }
}
