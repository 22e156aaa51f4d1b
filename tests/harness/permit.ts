import type { TenantId, UserId } from '@keywright/contract/ids';
import {
  METHODS,
  type Permit,
  addProof,
  newFlow,
  decide,
} from '@keywright/server/modules/authentication/proofs/proof-rules';

/** The permit of a login with the correct password, if that is sufficient. */
export function passwordPermit(
  tenantId: TenantId,
  userId: UserId,
  authVersion = 0,
  now = new Date(),
): Permit {
  const flow = addProof(newFlow(tenantId), METHODS.password, { userId, authVersion }, now);
  const user = {
    id: userId,
    authVersion,
    isActive: true,
    hasSecondFactor: false,
    hasPasskey: false,
    hasVerifiedIdentifier: false,
    hasMailbox: false,
    factorChannels: [],
  };
  const policy = {
    allowed_login_methods: ['password' as const],
    mfa_methods: ['passkey' as const, 'totp' as const],
    requiresSecondFactor: false,
    requiresVerifiedIdentifier: false,
    requiredProviders: [],
    requiresEnrolledFactor: false,
  };
  const next = decide(flow, user, policy);
  if (next.status !== 'complete') throw new Error('A password is not enough.');
  return next.permit;
}
