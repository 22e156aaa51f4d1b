import { isDeepStrictEqual } from './builtins.ts';

/**
 * The fields of a patch that differ from the record: a PATCH changes, revokes and records only these, and nothing if
 * there are none.
 * @param sets names of lists whose order does not matter
 */
export function changedFields<Patch extends object>(
  patch: Patch,
  record: object,
  sets: readonly (keyof Patch & string)[] = [],
): Partial<Patch> {
  const present: Readonly<Record<string, unknown>> = { ...record };
  const changed = Object.entries(patch).filter(([name, value]) => {
    const isSet = sets.some((set) => set === name);
    return !isDeepStrictEqual(...comparable(value, present[name], isSet));
  });
  return Object.fromEntries(changed) as Partial<Patch>;
}

export function isEmpty(change: object): boolean {
  return Object.keys(change).length === 0;
}

function comparable(changed: unknown, present: unknown, isSet: boolean): [unknown, unknown] {
  return isSet && Array.isArray(changed) && Array.isArray(present)
    ? [new Set(changed), new Set(present)]
    : [changed, present];
}
