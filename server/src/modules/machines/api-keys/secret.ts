import { API_KEY_PREFIX } from '@keywright/contract/records/api-key';
import { checkedSecrets } from '../../../platform/crypto/checked-secret.ts';

const SHOWN_CHARACTERS = 12;

/** `svc_sk_`, random base62 characters and six check characters. */
export const { mint: mintApiKey, hash: hashApiKey } = checkedSecrets(API_KEY_PREFIX);

/** The stored prefix, to recognise the key. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** Whether a text is formatted as an API key rather than a token. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(API_KEY_PREFIX);
}
