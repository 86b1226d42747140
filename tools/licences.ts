import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the bill of materials of the image (CycloneDX), and prints the number of packages for each licence. It fails
 * if a package has no licence, or a licence that is not in `ALLOWED`. The command is `npm run licences -- FOLDER`.
 */

const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
/** Packages whose package.json names no licence. The licence is from another file of the package. */
const FOUND_ELSEWHERE: Readonly<Record<string, string>> = { 'pause@0.0.1': 'MIT' };

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

export function licenceOf({ name, version, licenses = [] }: Component): string {
  const stated = licenses.map(
    ({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'unknown',
  );
  return stated.join(' AND ') || (FOUND_ELSEWHERE[`${name}@${version}`] ?? 'none');
}

/**
 * All parts of an expression with AND have to be allowed. An OR is refused, because a person has to choose
 * one of the licences.
 */
export function isAllowed(licence: string): boolean {
  return licence
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .every((part) => ALLOWED.includes(part));
}

function main(folder: string): void {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const text = execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { components } = JSON.parse(text) as { readonly components: readonly Component[] };
  if (components.length < 100) throw new Error(`The list has only ${components.length} packages.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sbom.cdx.json'), text);
  const counts = new Map<string, number>();
  for (const component of components) {
    const licence = licenceOf(component);
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
    if (isAllowed(licence)) continue;
    process.stderr.write(`${component.name}@${component.version} has the licence ${licence}.\n`);
    process.exitCode = 1;
  }
  for (const [licence, count] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    process.stdout.write(`${count} packages: ${licence}\n`);
  }
}

if (import.meta.main) main(process.argv[2] ?? 'artifacts');
