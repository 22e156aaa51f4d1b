import { timingSafeEqual } from 'node:crypto';
import {
  MANAGEMENT_TOKEN_PREFIX,
  REGISTRATION_TOKEN_PREFIX,
} from '@keywright/contract/records/registration-token';
import { checkedSecrets } from '../../../platform/crypto/checked-secret.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';

/** What somebody registers applications with. */
export const REGISTRATION_TOKENS = checkedSecrets(REGISTRATION_TOKEN_PREFIX);

/** What an application manages its own registration with. */
export const MANAGEMENT_TOKENS = checkedSecrets(MANAGEMENT_TOKEN_PREFIX);

export function looksLikeRegistrationToken(text: string): boolean {
  return text.startsWith(REGISTRATION_TOKEN_PREFIX);
}

const NOBODYS = Buffer.alloc(32);

/** Whether a token is that of a registration. An unknown registration takes as long as a wrong token. */
export function managesWith(hash: Buffer | null | undefined, token: string): boolean {
  const isEqual = timingSafeEqual(hash ?? NOBODYS, MANAGEMENT_TOKENS.hash(token) ?? sha256(token));
  return isEqual && hash !== null && hash !== undefined;
}
