import type { Application } from './application.ts';

/** Whether it authenticates, by a secret or a key of its own (RFC 6749 §2.1). */
export function isConfidential({ token_endpoint_auth_method: method }: Application): boolean {
  return method !== 'none';
}

/**
 * Whether a refresh token stays the same: of a client that proves who it is, and a key, too. Whoever has the token alone
 * can do nothing with it.
 * @param jkt of the key that the refresh token is bound to
 */
export function isFixed(client: Application, jkt: string | undefined): boolean {
  return client.refresh_token_policy === 'fixed' && isConfidential(client) && jkt !== undefined;
}
