// What the examples of all frameworks share: the values of a client, written as code.

import type { OAuthClient } from '@keywright/sdk';

export type Client = Pick<
  OAuthClient,
  'id' | 'kind' | 'redirect_uris' | 'scopes' | 'grant_types' | 'token_endpoint_auth_method'
>;

export interface Values {
  readonly client: Client;
  readonly issuer: string;
  /** Where users return to. */
  readonly uri: string;
  readonly scope: string;
}

export interface Template {
  /** What is installed first: names of packages. */
  readonly packages: string;
  readonly text: (values: Values) => string;
  /** The end of the redirect URI that the framework insists on. */
  readonly path?: string;
  /** Default true: users return to an address. */
  readonly returns?: boolean;
}

/** RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A text in JavaScript. No field of a client has line breaks. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
