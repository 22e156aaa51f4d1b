/** Makes a value when it is asked for the first time, and keeps it: a start does without what is needed later. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
