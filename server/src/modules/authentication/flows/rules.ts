import type { FlowStep } from '@keywright/contract/records/login-flow';
import type { TenantId } from '@keywright/contract/ids';
import type { Flow, Next, Policy } from '../proofs/index.ts';
import { METHODS } from './methods.ts';
import type { FlowUser, StoredFlow, StoredProof } from './store.ts';

const LIFE_MS = 15 * 60 * 1000;
/** Open flows of one identifier. */
export const MAX_OPEN = 20;
/** Flows that one address may begin in a minute. */
export const BEGIN_LIMITS = { login_attempts_limit: 30, login_attempts_window: 60 } as const;

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS);
}

export function isOpen({ endedAt, expiresAt }: StoredFlow, now: Date): boolean {
  return endedAt === undefined && expiresAt > now;
}

/** What `decide` takes. */
export function flowOf(tenantId: TenantId, proofs: readonly StoredProof[]): Flow {
  return {
    tenantId,
    proofs: proofs.map(({ method, user_id: userId, auth_version: authVersion, at }) => ({
      method: METHODS[method],
      userId,
      authVersion,
      at: new Date(at),
    })),
  };
}

/** The public names of what comes next. Before the first proof they do not depend on the user. */
export function stepsOf(next: Next, user: FlowUser | undefined, policy: Policy): FlowStep[] {
  if (next.status !== 'needs') return [];
  if (next.step === 'first_factor') {
    return policy.allowed_login_methods.includes('password') ? ['password'] : [];
  }
  if (!user?.hasSecondFactor) return [];
  return user.hasRecoveryCodes ? ['totp', 'recovery_code'] : ['totp'];
}
