import { AppError, type Fail } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { BodyOf } from '@keywright/contract/route';
import type { login } from '@keywright/contract/routes/auth';
import type { Clock } from '../../platform/clock.ts';
import type { Share } from '../../platform/crypto/fair-queue.ts';
import type { PasswordHasher } from '../../platform/crypto/password.ts';
import { batched } from '../../platform/db/batch.ts';
import type { Origin } from '../../tenancy/caller.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { hashShare } from '../../tenancy/hash-share.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { addressSubject, identifierSubject } from '../attempts/index.ts';
import type { Notes } from '../journal/index.ts';
import { requireBoundedSecret } from '../passwords/index.ts';
import type { OpenSession } from '../sessions/index.ts';
import { replaceSecretHash, requireIdentifier } from '../users/index.ts';
import { type Proven, prove } from './prove.ts';
import { createRegisterOrProve, mayRegister } from './register.ts';
import { noteRefusal, noteThrottled, type Refusal, refusalOf } from './refused.ts';
import { type Begun, countAndFind } from './store.ts';

const BATCH = { size: 32, flights: 4 };

export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
}

type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'INVALID_CREDENTIALS'
  | 'MFA_REQUIRED'
  | 'NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
>;

export type LogIn = (
  tenant: Tenant,
  body: BodyOf<typeof login>,
  device: Device,
  fail: Refuse,
) => Promise<TokenAnswer>;

interface Parts {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly openSession: OpenSession;
  readonly notes: Notes;
  readonly clock: Clock;
}

export function createLogIn({ gate, passwords, openSession, notes, clock }: Parts): LogIn {
  const registerOrProve = createRegisterOrProve(gate, passwords);
  const begin = batched((begun: readonly Begun[]) => countAndFind(gate, begun), BATCH);

  return async (tenant, body, device, fail) => {
    const { secret, workspace_id: workspaceId } = body;
    const identifier = requireIdentifier(body.identifier, '/identifier', fail);
    requireBoundedSecret(secret, '/secret', fail);
    // Nothing is counted or looked up for those who would be asked to come again: a flood of them costs no statement.
    const share = hashShare(tenant.id, device.from);
    passwords.requireRoom(share);
    const attempts = [
      addressSubject(device.from.address),
      identifierSubject(identifier.identifier),
    ] as const;
    const row = await begin({
      tenantId: tenant.id,
      identifier: identifier.identifier,
      limits: tenant.config,
      attempts,
      now: clock.now(),
    });
    const attempt = { from: device.from, identifier, userId: row.user_id };
    const refused = (reason: Refusal) => noteRefusal(notes, tenant, attempt, reason);
    if (row.retry_after !== null) {
      noteThrottled(notes, tenant, device.from, 'throttled');
      fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: row.retry_after });
    }
    const proven =
      body.register && mayRegister(tenant)
        ? await registerOrProve(tenant, row, { ...identifier, secret, from: device.from }, fail)
        : await prove(passwords, tenant, row, secret, share);
    if (!proven) {
      refused(refusalOf(tenant, row));
      return fail('INVALID_CREDENTIALS');
    }
    if (tenant.config.require_mfa) {
      refused('mfa_required');
      fail('MFA_REQUIRED');
    }
    const answer = await openSession(tenant, { ...proven, ...device, workspaceId, attempts });
    if (typeof answer === 'string') {
      const isUnknown = answer === 'workspace_unknown';
      refused(isUnknown ? answer : 'changed_meanwhile');
      return fail(isUnknown ? 'NOT_FOUND' : 'INVALID_CREDENTIALS');
    }
    await strengthen(gate, passwords, tenant, proven, secret, share);
    return answer;
  };
}

/** Hashes anew what was hashed with weaker parameters, now that the secret is at hand. */
async function strengthen(
  gate: Gate,
  passwords: PasswordHasher,
  tenant: Tenant,
  { userId, secretHash }: Proven,
  secret: string,
  share: Share,
): Promise<void> {
  if (!passwords.isOutdated(secretHash)) return;
  // Where too many passwords wait already, the old hash stays until the next login.
  const stronger = await passwords.hash(secret, share).catch(ifNotBusy);
  if (stronger === undefined) return;
  await gate
    .into(tenant.id)
    .transaction((tx) => replaceSecretHash(tx, userId, secretHash, stronger));
}

function ifNotBusy(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'TOO_BUSY') return undefined;
  throw error;
}
