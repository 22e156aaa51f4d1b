/** What the contract specifies about a field of an event. */
export interface EventField {
  /** Path in the event: `data.identifiers[].type`. */
  readonly path: string;
  /** As in JSON Schema, with `[]` after the type of list items: `string`, `date-time`, `object[]`. */
  readonly type: string;
  /** Some events of the type lack the field. */
  readonly optional?: true;
  readonly choices?: readonly string[];
}

/** What the contract specifies about a type of event. */
export interface EventFacts {
  /** The scopes that a webhook needs to receive the event. */
  readonly scopes: readonly string[];
  /** Those of `data`. */
  readonly fields: readonly EventField[];
}
