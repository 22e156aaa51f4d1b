/** How a field is filled in. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'color'
  | 'secret'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'list'
  | 'scopes'
  | 'json';

/** What the contract says of a field of a request. */
export interface FieldFacts {
  readonly name: string;
  readonly kind: FieldKind;
  readonly hint: string;
  readonly required?: true;
  /** What a change of it needs, if not what the route does. */
  readonly scope?: string;
  /** `null` takes the value back. */
  readonly nullable?: true;
  readonly choices?: readonly string[];
  /** What choices are called, if not by the catalogue. */
  readonly words?: Readonly<Record<string, string>>;
  /** The choices are names that users gave, and so have no translation. */
  readonly isRaw?: true;
  /** An email address, whatever its name is. */
  readonly isEmail?: true;
  /** A secret of several lines, such as a key file. */
  readonly isLong?: true;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What applies if it stays empty, or an example of it. */
  readonly usual?: unknown;
  /** The default that `null` returns to. */
  readonly byDefault?: unknown;
}
