import Type, { type TProperties } from 'typebox';

interface ClosedOptions {
  readonly minProperties?: number;
}

/** An object of a request: a field that it doesn't name is refused, never ignored. */
export function closed<const P extends TProperties>(properties: P, options: ClosedOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
