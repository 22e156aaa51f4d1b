/** The id of a client may be an address, which is one part of the path. */
export function placeOfClient(id: string): string {
  return `/clients/${encodeURIComponent(id)}`;
}
