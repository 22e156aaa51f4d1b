/** How a field is filled in. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'color'
  | 'secret'
  | 'number'
  | 'duration'
  | 'days'
  | 'date'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'list'
  | 'scopes'
  | 'json';

/** What the contract specifies about a field of a request. */
export interface FieldFacts {
  readonly name: string;
  /** The subject of its form: the texts of the field are `field.<of>.<name>` and `hint.<of>.<name>`. */
  readonly of: string;
  readonly kind: FieldKind;
  readonly required?: true;
  /** The scope needed to change the field, if it differs from the route's. */
  readonly scope?: string;
  /** `null` resets the value. */
  readonly nullable?: true;
  readonly choices?: readonly string[];
  /** Labels of the choices, if they do not come from the catalog. */
  readonly words?: Readonly<Record<string, string>>;
  /** A hint that depends on the tenant, instead of that of the catalog. */
  readonly hint?: string;
  /** A new password of a person, which can be generated. */
  readonly isPassword?: true;
  /** The choices are names chosen by users, so they have no translation. */
  readonly isRaw?: true;
  /** Descriptions of the choices. */
  readonly about?: Readonly<Record<string, string>>;
  /** The field contains an email address, whatever its name. */
  readonly isEmail?: true;
  /** The value is the ID of a record of this kind, which is found by name. */
  readonly finds?: 'users';
  /** Folded in its form, because few people need it. */
  readonly isRare?: true;
  /** A secret of several lines, such as a key file. */
  readonly isLong?: true;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly example?: string | number;
  /** The value that applies if the field is empty. */
  readonly byDefault?: unknown;
}

/** Returns the fields of a form. */
export function fieldsOf(
  of: string,
  fields: readonly Omit<FieldFacts, 'of'>[],
): readonly FieldFacts[] {
  return fields.map((field) => ({ of, ...field }));
}
