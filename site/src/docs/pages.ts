// The pages of docs/: one for each Markdown file, whose URL is its path without the extension.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url));
/** Where the site is served. */
export const BASE = '/docs';

export interface Page {
  /** The path below docs/, such as `guide/tenants.md`. */
  readonly file: string;
  /** The path below the base, such as `guide/tenants`; empty for the landing page. */
  readonly id: string;
  readonly title: string;
  /** The first paragraph, without Markdown. */
  readonly description: string;
  /** The Markdown below the title. */
  readonly body: string;
}

/** Reads all pages, ordered by path. */
export function readPages(docs = DOCS): Page[] {
  const files = globSync('**/*.md', { cwd: docs }).map((file) => file.replaceAll('\\', '/'));
  return files.toSorted().map((file) => readPage(docs, file));
}

/** @throws if the file does not start with a title */
function readPage(docs: string, file: string): Page {
  const text = readFileSync(join(docs, file), 'utf8').replaceAll('\r\n', '\n');
  const [, heading, body] = /^# (.+)\n([^]*)$/.exec(text.trimStart()) ?? [];
  if (heading === undefined || body === undefined) {
    throw new Error(`docs/${file} must start with a line "# <title>"`);
  }
  return {
    file,
    id: idOf(file),
    title: plainText(heading),
    description: descriptionOf(body),
    body: body.trimStart(),
  };
}

/** The path of a page below the base. An index has the path of its folder. */
export function idOf(file: string): string {
  return file.replace(/\.md$/, '').replace(/(^|\/)(index|README)$/, '');
}

/** The URL of a page. */
export function urlOf(id: string): string {
  return `${BASE}/${id}`;
}

/** The URL of the Markdown of a page. */
export function markdownUrlOf(id: string): string {
  return `${BASE}/${markdownFileOf(id)}`;
}

export function markdownFileOf(id: string): string {
  return `${id === '' ? 'index' : id}.md`;
}

function descriptionOf(body: string): string {
  const paragraphs = body.split(/\n\s*\n/).map((text) => text.trim());
  const first = paragraphs.find((text) => /^[\p{L}`*_[("]/u.test(text) && !text.startsWith('```'));
  const text = plainText((first ?? '').replaceAll('\n', ' '));
  if (text.length <= 200) return text;
  return `${text.slice(0, 199).replace(/\s+\S*$/, '')}…`;
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|<[^>]+>/g, '')
    .trim();
}
