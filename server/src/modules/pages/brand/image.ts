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
