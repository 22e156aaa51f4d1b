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
import type { KnownDevice } from '../flows/index.ts';
import { requireBoundedSecret } from '../passwords/index.ts';
import { attemptsOf, countedOf, type LoginLimit } from './attempts.ts';
import { countAndFind, type LoginAttempt, type LoginAttemptRow } from './login-store.ts';

const BATCH = { size: 32, flights: 4 };

/** A login attempt that was counted, and whose user was looked up. */
export interface Started {
  readonly identifier: Identifier;
  readonly share: Share;
  readonly now: Date;
  readonly row: LoginAttemptRow;
  readonly attempts: readonly LoginLimit[];
}

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

interface Given extends Pick<BodyOf<typeof login>, 'identifier' | 'secret'> {
  /** The device of the presented token. The statement checks that its user has the identifier. */
  readonly known: KnownDevice | undefined;
}

export type Start = (
  tenant: Tenant,
  given: Given,
  from: Origin,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_BUSY'>,
) => Promise<Started>;

/** Counts a login attempt and looks up its user, if the hash queue has room. */
export function createStart({ gate, passwords, clock }: Dependencies): Start {
  const begin = batched((attempts: readonly LoginAttempt[]) => countAndFind(gate, attempts), BATCH);

  return async (tenant, { known, ...given }, from, fail) => {
    const identifier = requireIdentifier(given.identifier, '/identifier', fail);
    requireBoundedSecret(given.secret, '/secret', fail);
    // Requests that would be rejected for lack of room are neither counted nor looked up: a flood of them costs no
    // statements.
    const share = hashShare(tenant.id, from);
    passwords.requireRoom(share);
    const now = clock.now();
    const possible = attemptsOf(tenant, from, identifier.identifier, known);
    const row = await begin({
      tenantId: tenant.id,
      identifier: identifier.identifier,
      device: known,
      attempts: possible,
      now,
    });
    const attempts = countedOf(possible, row.is_device_known);
    return { identifier, share, now, row, attempts };
  };
}
