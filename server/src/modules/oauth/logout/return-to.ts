import { addressOf } from '../authorize/index.ts';
import type { KnownClient } from '../clients/index.ts';
import type { ReturnTo } from './sealed.ts';

/** The address to return to, if this client has registered it: character by character (RFC 9700 §4.1.3). */
export function addressOfReturn(
  client: KnownClient | undefined,
  { redirectUri, state }: Pick<ReturnTo, 'redirectUri' | 'state'>,
): URL | undefined {
  if (!client?.is_active || !client.post_logout_redirect_uris.includes(redirectUri)) {
    return undefined;
  }
  if (state === undefined) return new URL(redirectUri);
  return addressOf({ redirectUri }, new Map([['state', state]]));
}
