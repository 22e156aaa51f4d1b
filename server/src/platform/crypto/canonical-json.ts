/**
 * JSON in the one form that a hash can be taken of: keys sorted by UTF-16 code units, no white space, numbers
 * and strings as ECMAScript writes them (RFC 8785).
 * What JSON.stringify writes in place of a value, or leaves out, so does this.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return canonicalJson(JSON.parse(JSON.stringify(value)));
  }
  return `{${membersOf(value as Readonly<Record<string, unknown>>)}}`;
}

/** In one pass: this is done for each entry of the audit log before it is written. */
function membersOf(value: Readonly<Record<string, unknown>>): string {
  let text = '';
  // By UTF-16 code units, which is what strings are compared by.
  for (const name of Object.keys(value).toSorted()) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return text;
}
