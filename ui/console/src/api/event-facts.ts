/** What the contract says of a field of an event. */
export interface EventField {
  /** Where it is in the event: `data.identifiers[].type`. */
  readonly path: string;
  /** As JSON Schema has it, `[]` after the type of what a list consists of: `string`, `date-time`, `object[]`. */
  readonly type: string;
  readonly meaning: string;
  /** Some events of its type do not have it. */
  readonly optional?: true;
  readonly choices?: readonly string[];
}

/** What the contract says of a type of event. */
export interface EventFacts {
  readonly meaning: string;
  /** What a webhook needs to be sent it. */
  readonly scopes: readonly string[];
  /** Those of `data`. */
  readonly fields: readonly EventField[];
}
