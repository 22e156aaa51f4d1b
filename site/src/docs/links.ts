// Links as GitHub shows them lead to files; on the site they lead to pages.

import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { BASE, DOCS, idOf, urlOf } from './pages.ts';

/** The folder of the pages, and the repository to which links that leave it lead. Without one, these links are text. */
const PLACES = { docs: DOCS, repository: process.env['KEYWRIGHT_DOCS_REPOSITORY'] };

type Places = typeof PLACES;

/** The attributes that contain links, of a tag. */
const TAG = /<(?:a|img|source)\b[^>]*>/g;
const ATTRIBUTE = /\b(href|src|srcset)="([^"]*)"/g;
/** Code, or the target of a link. */
const CODE_OR_LINK = /^```[^]*?^```|`[^`\n]*`|\]\((?![a-z]+:|#)([^)\s]+)\)/gm;

/** Rewrites the links of a rendered page. @throws for a link to a file that does not exist */
export function rewriteHtml(html: string, file: string, places = PLACES): string {
  return html.replaceAll(TAG, (tag) =>
    tag.replaceAll(ATTRIBUTE, (whole, name: string, link: string) => {
      if (isExternal(link) || link.startsWith('#')) return whole;
      const target = resolve(link, file, places);
      return target === undefined ? '' : `${name}="${target}"`;
    }),
  );
}

/** Rewrites links that leave docs/ in the Markdown of a page; the others work as they are. */
export function rewriteMarkdown(markdown: string, file: string, places = PLACES): string {
  return markdown.replaceAll(CODE_OR_LINK, (whole, link: string | undefined) => {
    if (link === undefined) return whole;
    const target = resolve(link, file, places);
    return target !== undefined && isExternal(target) ? `](${target})` : whole;
  });
}

/** Returns the URL that a relative link of a file leads to; undefined if it leaves docs/ for an unknown repository. */
function resolve(link: string, file: string, { docs, repository }: Places): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  const place = join(docs, target);
  if (!existsSync(place)) throw new Error(`docs/${file} links to ${link}, which does not exist`);
  const isFolder = statSync(place).isDirectory();
  if (isOutside(target)) {
    if (repository === undefined) return undefined;
    const kind = isFolder ? 'tree' : 'blob';
    return `${repository}/${kind}/main/${posix.join('docs', target)}${suffix}`;
  }
  if (isFolder) return `${urlOf(target)}${suffix}`;
  if (target.endsWith('.md')) return `${urlOf(idOf(target))}${suffix}`;
  return `${BASE}/${target}`;
}

function isOutside(target: string): boolean {
  return target === '..' || target.startsWith('../');
}

export function isExternal(link: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(link);
}
