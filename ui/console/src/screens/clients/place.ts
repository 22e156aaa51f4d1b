/** Returns the path of a client. Its ID can be a URL, which is one segment of the path. */
export function placeOfClient(id: string): string {
  return `/clients/${encodeURIComponent(id)}`;
}
