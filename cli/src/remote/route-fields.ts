// The routes as the command line needs them; generated from the contract.

/** `json`: has no option, only `--input`. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'switch' | 'list' | 'secret' | 'json';

export interface Field {
  readonly name: string;
  readonly in: 'query' | 'body';
  readonly kind: FieldKind;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly isRequired?: true;
}

export interface RouteFields {
  /** How the client calls the route: `client.<group>.<method>()`. */
  readonly group: string;
  readonly method: string;
  readonly about: string;
  /** The placeholders of its path parameters. */
  readonly takes: readonly string[];
  readonly hasBody: boolean;
  readonly fields: readonly Field[];
}
