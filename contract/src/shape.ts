import Type, { type TProperties } from 'typebox';

/** A line of text that the database can keep: no control character, no half of a surrogate pair. */
export const LINE = '^[^\\p{Cc}\\p{Cs}]*$';
/** The same, of several lines. */
export const LINES = '^[^\\0\\p{Cs}]*$';

interface ClosedOptions {
  readonly minProperties?: number;
}

/** An object of a request: a field that it doesn't name is refused, never ignored. */
export function closed<const P extends TProperties>(properties: P, options: ClosedOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
