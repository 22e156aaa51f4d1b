/**
 * JSON in the one form that a hash can be taken of: keys sorted by UTF-16 code units, no white space, numbers
 * and strings as ECMAScript writes them (RFC 8785).
 * @param value what JSON.parse could have made
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
