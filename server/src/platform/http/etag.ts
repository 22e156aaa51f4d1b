/** RFC 9110 §13.1.2: whether If-None-Match names this tag, among others, weak or not, or is `*`. */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Nearly every client sends back exactly the tag that it received.
  if (ifNoneMatch === etag) return true;
  const known = ifNoneMatch.split(',').map((one) => opaque(one.trim()));
  return known.includes(opaque(etag)) || known.includes('*');
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
