/** Whether a client names this media type explicitly (RFC 9110 §12.5.1, in part); wildcards do not count. */
export function acceptsType(accept: string | undefined, mediaType: string): boolean {
  const types = (accept ?? '')
    .split(',')
    .map((type) => type.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes(mediaType);
}
