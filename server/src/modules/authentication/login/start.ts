import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import type { BodyOf } from '@keywright/contract/route';
import type { login } from '@keywright/contract/routes/auth';
import type { Clock } from '../../../platform/clock.ts';
import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireIdentifier } from '../../identity/users/index.ts';
import type { DeviceTokens, KnownDevice } from '../flows/index.ts';
import { requireBoundedSecret } from '../passwords/index.ts';
import { attemptsOf, countedOf, type LoginLimit } from './attempts.ts';
import { countAndFind, type LoginAttempt, type LoginAttemptRow } from './store.ts';

const BATCH = { size: 32, flights: 4 };

/** A login attempt that was counted, and whose user was looked up. */
export interface Started {
  readonly identifier: Identifier;
  readonly share: Share;
  readonly now: Date;
  readonly known: KnownDevice | undefined;
  readonly row: LoginAttemptRow;
  readonly attempts: readonly LoginLimit[];
}

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly deviceTokens: DeviceTokens;
  readonly clock: Clock;
}

export type Start = (
  tenant: Tenant,
  given: Pick<BodyOf<typeof login>, 'identifier' | 'secret' | 'device_token'>,
  from: Origin,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_BUSY'>,
) => Promise<Started>;

/** Counts a login attempt and looks up its user, if the hash queue has room. */
export function createStart({ gate, passwords, deviceTokens, clock }: Dependencies): Start {
  const begin = batched((attempts: readonly LoginAttempt[]) => countAndFind(gate, attempts), BATCH);

  return async (tenant, body, from, fail) => {
    const identifier = requireIdentifier(body.identifier, '/identifier', fail);
    requireBoundedSecret(body.secret, '/secret', fail);
    // Requests that would be rejected for lack of room are neither counted nor looked up: a flood of them costs no
    // statements.
    const share = hashShare(tenant.id, from);
    passwords.requireRoom(share);
    const now = clock.now();
    const { device_token: token } = body;
    const known = token === undefined ? undefined : deviceTokens.read(tenant.id, token, now);
    const possible = attemptsOf(tenant, from, identifier.identifier, known);
    const row = await begin({
      tenantId: tenant.id,
      identifier: identifier.identifier,
      device: known,
      attempts: possible,
      now,
    });
    const attempts = countedOf(possible, row.is_device_known);
    return { identifier, share, now, known, row, attempts };
  };
}
