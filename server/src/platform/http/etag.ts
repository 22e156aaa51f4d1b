/** Whether If-None-Match lists this tag, weak or strong, or is `*` (RFC 9110 §13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Nearly every client returns exactly the tag that it received.
  if (ifNoneMatch === etag) return true;
  const known = ifNoneMatch.split(',').map((one) => opaque(one.trim()));
  return known.includes(opaque(etag)) || known.includes('*');
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
