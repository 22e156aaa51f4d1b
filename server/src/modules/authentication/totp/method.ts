import type { Method } from '../proofs/index.ts';

/** An authenticator app. RFC 8176 §2: `otp`. */
export const TOTP = {
  kind: 'possession',
  allowedAs: null,
  amr: ['otp'],
} as const satisfies Method;
