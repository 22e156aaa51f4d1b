import { closeSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import { DOCS } from './pages.ts';

/** Astro marks pictures for its optimizer with this attribute, which holds the others as JSON. */
const MARKED = /__ASTRO_IMAGE_="([^"]*)"/g;

/** Shows pictures as they are in docs/, with their sizes, and loads them when they are about to be seen. */
export function withPictures(html: string, file: string): string {
  return html.replaceAll(MARKED, (_, json: string) => {
    const { src, alt = '' } = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&#x22;', '"'));
    const size = src.endsWith('.png') ? sizeOf(join(DOCS, posix.dirname(file), src)) : '';
    return `src="${src}" alt="${alt.replaceAll('"', '&quot;')}"${size} loading="lazy"`;
  });
}

/** The size of a PNG, from its header. */
function sizeOf(path: string): string {
  const header = Buffer.alloc(24);
  const file = openSync(path, 'r');
  readSync(file, header);
  closeSync(file);
  return ` width="${header.readUInt32BE(16)}" height="${header.readUInt32BE(20)}"`;
}
