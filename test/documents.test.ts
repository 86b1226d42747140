import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: TOP }).toSorted(),
];

/** The README, and the pages of `docs` and `docs/guides`. The decisions (`docs/adr`) are left out. */
const GUIDES = PAGES.filter((page) => /^(README\.md|docs\/(guides\/)?[^/]+)$/.test(page));

const textOf = (page: string) => readFileSync(join(TOP, page), 'utf8');
const proseOf = (page: string) => textOf(page).replace(/^( *)```[^]*?^\1```$/gm, '');

interface Link {
  readonly page: string;
  readonly target: string;
  readonly file: string;
  readonly anchor: string | null;
}

/** The links to a file of the project, or to a place in such a file. */
function linksOf(page: string): Link[] {
  return [
    ...proseOf(page)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/.test(target))
    .map((target) => {
      const [path = '', anchor = null] = target.split('#');
      return { page, target, anchor, file: path === '' ? page : normalize(join(dirname(page), path)) };
    });
}

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const name = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

const isInside = (folder: string, page: string) => page.startsWith(`${folder.replace(/\/$/, '')}/`);

describe('the documents', () => {
  it.each(PAGES)('have no link in %s to a file or heading that does not exist', (page) => {
    const lost = linksOf(page).filter(
      ({ file, anchor }) =>
        file.startsWith('..') ||
        !existsSync(join(TOP, file)) ||
        (anchor !== null && !(file.endsWith('.md') && anchorsOf(file).has(anchor))),
    );
    expect(lost).toEqual([]);
  });

  it('can all be reached by links from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const { file } of linksOf(page)) {
        if (!existsSync(join(TOP, file))) continue;
        const isFolder = statSync(join(TOP, file)).isDirectory();
        for (const each of PAGES) if (isFolder ? isInside(file, each) : each === file) reached.add(each);
      }
    }
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('have a README of at most 150 lines', () => {
    expect(textOf('README.md').split('\n').length - 1).toBeLessThanOrEqual(150);
  });

  it.each(GUIDES)('have no sentence in %s that begins with What, Who, Whoever, Whatever or Of', (page) => {
    const text = proseOf(page).replace(/^\|.*$/gm, '');
    expect(
      [...text.matchAll(/^.*(?:^|[.:!?*] |^- |^> )(?:What|Who|Whoever|Whatever|Of) .*$/gm)].map(String),
    ).toEqual([]);
  });

  it('give each decision a unique number, the same in the file name and in the title', () => {
    const names = PAGES.filter((page) => page.startsWith('docs/adr/')).map((page) =>
      page.slice('docs/adr/'.length),
    );
    const numbers = names.map((name) => Number(name.slice(0, 4)));
    expect(new Set(numbers).size).toBe(names.length);
    const titles = names.map((name) => /^# (\d+)\. /.exec(textOf(`docs/adr/${name}`))?.[1]);
    expect(titles).toEqual(numbers.map(String));
  });

  it('list each run-time dependency in docs/dependencies.md', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
    const reasons = textOf('docs/dependencies.md');
    expect(Object.keys(dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });
});
