import type { EventField } from '../../api/event-facts.ts';

/** Returns the paths of an event's values, as the facts of its type name them: `data.identifiers[].type`. */
export function pathsIn(value: unknown, path = ''): ReadonlySet<string> {
  const found = new Set<string>();
  if (Array.isArray(value)) {
    for (const one of value) for (const below of pathsIn(one, `${path}[]`)) found.add(below);
    return found;
  }
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, one] of Object.entries(value)) {
    const own = path === '' ? name : `${path}.${name}`;
    found.add(own);
    for (const below of pathsIn(one, own)) found.add(below);
  }
  return found;
}

/** Returns the paths of an event that no fact describes, except paths within those. */
export function unknownIn(
  present: ReadonlySet<string>,
  fields: readonly EventField[],
): readonly string[] {
  // All of the described fields are within `data`.
  const known = new Set(['data', ...fields.map(({ path }) => path)]);
  return [...present].filter((path) => {
    const above = path.slice(0, path.lastIndexOf('.')).replace(/(\[\])+$/, '');
    return !known.has(path) && (known.has(above) || !path.includes('.'));
  });
}
