import { hash } from 'node:crypto';
import { isTooLarge } from './image-size.ts';
import { svgFlaw } from './svg.ts';

type CheckedImage = { readonly contentType: string } | { readonly objection: string };

/** What an image is, or why it is none for a page: the same for a fetched and an uploaded one. */
export function checkImage(bytes: Buffer): CheckedImage {
  const contentType = imageTypeOf(bytes);
  if (contentType === undefined) {
    return { objection: 'is no PNG, WebP, AVIF or SVG without a document type' };
  }
  if (isTooLarge(contentType, bytes)) {
    return { objection: 'has more than 4096 pixels at one side' };
  }
  const flaw =
    contentType === 'image/svg+xml' ? svgFlaw(new TextDecoder().decode(bytes)) : undefined;
  return flaw === undefined ? { contentType } : { objection: flaw };
}

/** SHA-256, which its address ends with. */
export function digestOf(image: Buffer): Buffer {
  return hash('sha256', image, 'buffer');
}

/** The types of images that browsers show and that `<img>` cannot do harm with, told by their bytes alone. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const starts = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (starts('\x89PNG\r\n\x1a\n') && starts('IHDR', 12)) return 'image/png';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('ftypavif', 4) || starts('ftypavis', 4)) return 'image/avif';
  return isSvg(bytes) ? 'image/svg+xml' : undefined;
}

/** UTF-8, without a document type: entities could expand without end. */
function isSvg(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  return /^<svg[\s/>]/.test(afterProlog(text)) && !/<!(?:doctype|entity)/i.test(text);
}

/** What follows the XML declaration, comments and white space (XML 1.0 §2.8). */
function afterProlog(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<?xml') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
}
