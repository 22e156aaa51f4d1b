// What the examples of all frameworks share: a client's values, written as code.

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
  /** Names of the packages to install first. */
  readonly packages: string;
  readonly text: (values: Values) => string;
  /** The end of the redirect URI that the framework requires. */
  readonly path?: string;
  /** Whether users return to an address; default true. */
  readonly returns?: boolean;
}

/** RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Returns a JavaScript string literal. No field of a client contains line breaks. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
