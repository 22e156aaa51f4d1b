/**
 * JSON in a canonical form for hashing: keys sorted by UTF-16 code units, no white space, numbers and strings as in
 * ECMAScript (RFC 8785). Values that JSON.stringify replaces or omits are treated the same way.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return canonicalJson(JSON.parse(JSON.stringify(value)));
  }
  return `{${membersOf(value as Readonly<Record<string, unknown>>)}}`;
}

/** A single pass, because this runs for each audit log entry before it is written. */
function membersOf(value: Readonly<Record<string, unknown>>): string {
  let text = '';
  // Strings compare by UTF-16 code units.
  for (const name of Object.keys(value).toSorted()) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return text;
}
