// Finds dead links in the built site: pages, files, images and anchors.

import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isExternal } from './links.ts';

const TAG = /<[a-z][^<>]*>/gi;
const LINK = /\s(?:href|src)="([^"]*)"/g;
const ID = /\s(?:id|name)="([^"]*)"/g;

/** Returns the dead links of a site, one a line. @param base the path that it is served below, such as `/docs` */
export function findDeadLinks(dist: string, base: string): string[] {
  const files = new Set(globSync('**/*', { cwd: dist }).map((file) => file.replaceAll('\\', '/')));
  const pages = [...files].filter((file) => file.endsWith('.html')).toSorted();
  const tags = new Map(pages.map((page) => [page, tagsOf(join(dist, page))]));
  const anchors = new Map([...tags].map(([page, text]) => [page, valuesOf(text, ID)]));
  return pages.flatMap((page) =>
    [...valuesOf(tags.get(page) ?? [], LINK)].flatMap((link) => {
      if (isExternal(link)) return [];
      const url = new URL(link, `http://site${base}/${page.replace(/(^index)?\.html$/, '')}`);
      const problem = problemOf(url, base, files, anchors);
      return problem === undefined ? [] : [`${page}  links to ${link}, ${problem}`];
    }),
  );
}

function problemOf(
  { pathname, hash }: URL,
  base: string,
  files: ReadonlySet<string>,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return 'which is outside the site';
  const path = decodeURI(posix.relative(base, pathname));
  const file = [path, `${path}.html`, 'index.html'].find((name) => files.has(name));
  if (file === undefined || (file === 'index.html' && path !== '')) return 'which does not exist';
  const anchor = decodeURIComponent(hash.slice(1));
  if (anchor === '' || !file.endsWith('.html') || anchors.get(file)?.has(anchor)) return undefined;
  return 'which has no such anchor';
}

function tagsOf(path: string): string[] {
  return readFileSync(path, 'utf8').match(TAG) ?? [];
}

function valuesOf(tags: readonly string[], attribute: RegExp): Set<string> {
  return new Set(
    tags.flatMap((tag) =>
      [...tag.matchAll(attribute)].map(([, value = '']) => value.replaceAll('&amp;', '&')),
    ),
  );
}
