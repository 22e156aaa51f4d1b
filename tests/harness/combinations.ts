/** Every combination of the items' values. */
export function* combinations<Item extends string, Value>(
  [item, ...others]: readonly Item[],
  values: readonly Value[],
): Generator<Partial<Record<Item, Value>>> {
  if (item === undefined) {
    yield {};
    return;
  }
  for (const rest of combinations(others, values)) {
    for (const value of values) yield { ...rest, [item]: value };
  }
}
