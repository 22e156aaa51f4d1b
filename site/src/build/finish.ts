import type { AstroIntegration } from 'astro';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as pagefind from 'pagefind';
import { findDeadLinks } from '../docs/dead-links.ts';
import { Externalizer } from '../docs/externalize.ts';
import { rewriteMarkdown } from '../docs/links.ts';
import { llmsFull, llmsIndex } from '../docs/llms.ts';
import type { Section } from '../docs/navigation.ts';
import { BASE, DOCS, type Page, markdownFileOf, urlOf } from '../docs/pages.ts';
import { indexedPage } from '../docs/search-index.ts';
import { shortScopes, slimPage } from '../docs/slim.ts';

const ASSETS = '_assets';
const FONT_LICENSE = fileURLToPath(
  new URL('LICENSE', import.meta.resolve('@fontsource-variable/geist/package.json')),
);
/** Files that pages show or link to, as they are in docs/. */
const DOCS_FILE = new RegExp(`\\s(?:href|src)="${BASE}/([^"#]+\\.(?:png|svg|json|jsonl))"`, 'g');

/** Completes the pages that Astro built: files, Markdown, the search index, and a check of all links. */
export function finish(
  pages: readonly Page[],
  navigation: readonly Section<Page>[],
): AstroIntegration {
  return {
    name: 'finish',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const dist = fileURLToPath(dir);
        const html = readHtml(dist);
        moveInlineCode(dist, html);
        copyFiles(dist, html);
        fs.copyFileSync(FONT_LICENSE, join(dist, ASSETS, 'geist-license.txt'));
        writeMarkdown(dist, pages, navigation);
        await writeSearchIndex(dist, html);
        const dead = findDeadLinks(dist, BASE);
        if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`);
      },
    },
  };
}

/** The built pages by file name. */
function readHtml(dist: string): Map<string, string> {
  const files = fs.globSync('**/*.html', { cwd: dist }).map((file) => file.replaceAll('\\', '/'));
  return new Map(files.toSorted().map((file) => [file, fs.readFileSync(join(dist, file), 'utf8')]));
}

function moveInlineCode(dist: string, html: Map<string, string>): void {
  const externalizer = new Externalizer(`${BASE}/${ASSETS}`);
  const scopes = new Map<string, string>();
  for (const [file, text] of html) {
    html.set(file, slimPage(externalizer.page(withoutTheme(text)), scopes));
  }
  const { files, rulesUrl } = externalizer.finish();
  for (const [name, text] of files) fs.writeFileSync(join(dist, ASSETS, name), text);
  for (const style of fs.globSync('*.css', { cwd: join(dist, ASSETS) })) {
    const path = join(dist, ASSETS, style);
    fs.writeFileSync(path, shortScopes(fs.readFileSync(path, 'utf8'), scopes));
  }
  for (const [file, text] of html) {
    const complete = text.replace('</head>', `<link rel="stylesheet" href="${rulesUrl}"></head>`);
    html.set(file, complete);
    fs.writeFileSync(join(dist, file), complete);
  }
}

/** Without scripts, the system's color scheme applies. */
function withoutTheme(html: string): string {
  return html.replace(' data-theme="dark"', '');
}

function copyFiles(dist: string, html: ReadonlyMap<string, string>): void {
  const linked = [...html.values()].flatMap((text) =>
    [...text.matchAll(DOCS_FILE)].map(([, file = '']) => decodeURI(file)),
  );
  for (const file of new Set(linked)) {
    const source = join(DOCS, file);
    if (!fs.existsSync(source)) continue;
    fs.mkdirSync(dirname(join(dist, file)), { recursive: true });
    fs.copyFileSync(source, join(dist, file));
  }
}

function writeMarkdown(
  dist: string,
  pages: readonly Page[],
  navigation: readonly Section<Page>[],
): void {
  const markdownOf = ({ file, title, body }: Page): string =>
    `# ${title}\n\n${rewriteMarkdown(body, file)}`;
  for (const page of pages) {
    const path = join(dist, markdownFileOf(page.id));
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, markdownOf(page));
  }
  fs.writeFileSync(join(dist, 'llms.txt'), llmsIndex(navigation));
  fs.writeFileSync(join(dist, 'llms-full.txt'), llmsFull(navigation, markdownOf));
}

async function writeSearchIndex(dist: string, html: ReadonlyMap<string, string>): Promise<void> {
  const { index, errors } = await pagefind.createIndex({ forceLanguage: 'en' });
  if (index === undefined) throw new Error(`no search index: ${errors.join(', ')}`);
  for (const [file, content] of html) {
    if (!content.includes('data-pagefind-body')) continue;
    const id = file.replace(/(^index)?\.html$/, '');
    const added = await index.addHTMLFile({ url: urlOf(id), content: indexedPage(id, content) });
    if (added.errors.length > 0) throw new Error(`${file}: ${added.errors.join(', ')}`);
  }
  const written = await index.writeFiles({ outputPath: join(dist, 'pagefind') });
  if (written.errors.length > 0) throw new Error(written.errors.join(', '));
  await pagefind.close();
  // The site has its own user interface.
  for (const file of fs.globSync('pagefind-*{ui,highlight}*', { cwd: join(dist, 'pagefind') })) {
    fs.rmSync(join(dist, 'pagefind', file));
  }
}
