import type { Application } from './application.ts';

/**
 * Whether a refresh token stays the same: of a client that proves who it is, and of a key that it proves, too. Whoever has
 * the token alone can do nothing with it.
 * @param jkt of the key that the refresh token is bound to
 */
export function isFixed(client: Application, jkt: string | undefined): boolean {
  const isConfidential = client.token_endpoint_auth_method !== 'none';
  return client.refresh_token_policy === 'fixed' && isConfidential && jkt !== undefined;
}
