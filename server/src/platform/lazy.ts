/** Creates a value on first use and caches it, so that startup does not pay for what is needed later. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
