import { EMAIL, EMAIL_FACTOR, INVITATION, SMS, SMS_FACTOR } from '../challenges/index.ts';
import { BREACHED_PASSWORD, PASSWORD } from '../passwords/index.ts';
import type { Method } from '../proofs/index.ts';
import { BOUND_PASSKEY, SYNCED_PASSKEY } from '../passkeys/index.ts';
import { RECOVERY_CODE } from '../recovery-codes/index.ts';
import { TOTP } from '../totp/index.ts';
import { UPSTREAM, UPSTREAM_MFA } from '../upstream/index.ts';

/** The methods that flows keep proofs of, by the name that is stored. */
export const METHODS = {
  password: PASSWORD,
  breached_password: BREACHED_PASSWORD,
  email: EMAIL,
  sms: SMS,
  email_factor: EMAIL_FACTOR,
  sms_factor: SMS_FACTOR,
  invitation: INVITATION,
  totp: TOTP,
  passkey: BOUND_PASSKEY,
  synced_passkey: SYNCED_PASSKEY,
  recovery_code: RECOVERY_CODE,
  upstream: UPSTREAM,
  upstream_mfa: UPSTREAM_MFA,
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof METHODS;
