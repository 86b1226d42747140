import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { Marked, Renderer, type Tokens } from 'marked';

/**
 * The files outside of `docs` to which a Markdown file may link, and the addresses at which the service offers them.
 */
const BESIDES: Readonly<Record<string, string>> = {
  'README.md': '/docs/readme',
  'openapi.yaml': '/openapi.yaml',
  'schema.graphql': '/schema.graphql',
};

/**
 * Lists the Markdown files that become pages: the README, and all files of `docs`.
 *
 * @param root the top folder of the project
 * @returns paths from the top folder
 */
export async function documentsOf(root: URL): Promise<string[]> {
  const names = await readdir(new URL('docs/', root), { recursive: true }).catch(() => []);
  const documents = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return documents.length === 0 ? [] : ['README.md', ...documents.toSorted()];
}

/**
 * Writes a page for each Markdown file. The page of `docs/guides/rest.md` is `docs/guides/rest.html` in the target, and
 * the service offers it as `/docs/guides/rest`.
 *
 * @param template a page with the placeholders `{{title}}` and `{{content}}`
 */
export async function writeGuides(root: URL, target: URL, template: string): Promise<void> {
  const files = await documentsOf(root);
  for (const file of files) {
    const { title, content } = rendered(await readFile(new URL(file, root), 'utf8'), file, new Set(files));
    const page = new URL(`${addressOf(file).slice(1)}.html`, target);
    await mkdir(new URL('./', page), { recursive: true });
    // The replacements are functions, because `$` has a special meaning in a replacement text.
    await writeFile(
      page,
      template.replace('{{title}}', () => title).replace('{{content}}', () => content),
    );
  }
}

function addressOf(file: string): string {
  return BESIDES[file] ?? `/${file.replace(/\.md$/, '')}`;
}

function rendered(
  markdown: string,
  file: string,
  files: ReadonlySet<string>,
): { title: string; content: string } {
  let title = file;
  let section = '';
  const slugs = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) title = content.replaceAll(/<[^<>]*>/g, '');
        section = slugOf(text, slugs);
        return `<h${depth} id="${section}">${content}</h${depth}>\n`;
      },
      table(token: Tokens.Table) {
        const table = Renderer.prototype.table.call(this, token);
        return `<div class="wide" tabindex="0" role="group" aria-labelledby="${section}">${table}</div>`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const address = linked(href, file, files);
        return address === null ? content : `<a href="${address}">${content}</a>`;
      },
    },
  });
  // A wide table or a long line scrolls by itself, so that the page fits on a phone. A region that scrolls can be
  // reached by the keyboard.
  const content = marked.parse(markdown, { async: false }).replaceAll('<pre>', '<pre tabindex="0">');
  return { title, content };
}

/** The Markdown files name the address of a service on the machine of the reader. A page is on the service itself. */
const LOCAL = 'http://127.0.0.1:3000';

/** @returns null for a file that the service does not offer, such as a source file */
function linked(href: string, file: string, files: ReadonlySet<string>): string | null {
  if (href === LOCAL || href.startsWith(`${LOCAL}/`)) return href.slice(LOCAL.length) || '/';
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#', 2);
  const other = posix.join(dirname(file), path);
  if (!files.has(other) && !Object.hasOwn(BESIDES, other)) return null;
  return addressOf(other) + (anchor === undefined ? '' : `#${anchor}`);
}

/** The anchor that GitHub gives a heading. */
function slugOf(heading: string, slugs: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
