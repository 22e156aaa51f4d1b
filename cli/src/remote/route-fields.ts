// What the command line knows of a route of the service; made from the contract.

/** `json`: no option can give it, but `--input`. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'switch' | 'list' | 'secret' | 'json';

export interface Field {
  readonly name: string;
  readonly in: 'query' | 'body';
  readonly kind: FieldKind;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly isRequired?: true;
}

/** A route of the service, as far as the command line has to know it. */
export interface RouteFields {
  /** How the client calls it: `client.<group>.<method>()`. */
  readonly group: string;
  readonly method: string;
  readonly about: string;
  /** The names of what stands in its path. */
  readonly takes: readonly string[];
  readonly hasBody: boolean;
  readonly fields: readonly Field[];
}
