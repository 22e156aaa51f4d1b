import type { EventField } from '../../api/event-facts.ts';

/** Returns the paths of an event's values, as the facts of its type name them: `data.identifiers[].type`. */
export function pathsIn(value: unknown, path = ''): ReadonlySet<string> {
  const found = new Set<string>();
  if (Array.isArray(value)) {
    for (const item of value) for (const below of pathsIn(item, `${path}[]`)) found.add(below);
    return found;
  }
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, child] of Object.entries(value)) {
    const childPath = path === '' ? name : `${path}.${name}`;
    found.add(childPath);
    for (const below of pathsIn(child, childPath)) found.add(below);
  }
  return found;
}

/** Returns the paths of an event that no fact describes, except paths within those. */
export function unknownIn(
  present: ReadonlySet<string>,
  fields: readonly EventField[],
): readonly string[] {
  // All of the described fields are within `data`.
  const described = new Set(['data', ...fields.map(({ path }) => path)]);
  return [...present].filter((path) => {
    const above = path.slice(0, path.lastIndexOf('.')).replace(/(\[\])+$/, '');
    return !described.has(path) && (described.has(above) || !path.includes('.'));
  });
}
