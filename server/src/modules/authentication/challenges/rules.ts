import { sha256 } from '../../../platform/crypto/sealed.ts';

/** Wrong codes of one flow. */
export const GUESSES = 5;
/** Codes that are compared for one recipient, over all flows. */
export const CODE_LIMIT = 20;
export const CODE_WINDOW_SECONDS = 3600;

/** OWASP ASVS 5.0 §6.5.5. */
const LIFE_MS = 10 * 60 * 1000;

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS);
}

/** By identifier, known or not. */
export function codeSubject(identifier: string): Buffer {
  return sha256(`code ${identifier}`);
}
