import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type UserId } from '@keywright/contract/ids';
import type { UserLock } from '@keywright/contract/records/user-lock';
import type { ErrorsOf, OkOf } from '@keywright/contract/route';
import type { getUserLocks, unlockUser } from '@keywright/contract/routes/user-locks';
import { type Caller, isInTheNameOf, isOneself } from '../../../tenancy/caller.ts';
import { type Attempt, counted, inLockOrder } from '../../../tenancy/counters.ts';
import { deleteFrom, from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import { findUser } from '../../identity/users/index.ts';
import { GUESS_LIMITS, guessSubject } from '../second-factors/index.ts';
import { DAY_FACTOR } from './login-attempts.ts';

const NOT_YOURSELF = 'You cannot unlock your own account. Ask another administrator.';

/** A counter of wrong passwords or codes of a user. */
interface UserLimit extends Attempt, Pick<UserLock, 'limit' | 'identifier'> {
  readonly quota: number;
}

/** The limits on the logins of users, apart from those of networks and known devices. */
export class UserLocks {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  get(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<ErrorsOf<typeof getUserLocks>>,
  ): Promise<OkOf<typeof getUserLocks>> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    if (isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const user = (await findUser(tx, userId)) ?? fail('NOT_FOUND');
      return { locks: await findReached(tx, limitsOf(tenant, user)) };
    });
  }

  /** Deletes the counters, but not those of the caller: with a stolen session, passwords could be guessed without a limit. */
  unlock(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<ErrorsOf<typeof unlockUser>>,
  ): Promise<OkOf<typeof unlockUser>> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail, true);
      if (isOneself(caller, userId)) fail('PRINCIPAL_PROTECTED', { detail: NOT_YOURSELF });
      const user = (await findUser(tx, userId)) ?? fail('NOT_FOUND');
      const limits = limitsOf(tenant, user);
      const unlocked = await findReached(tx, limits);
      // In one statement, their order would be arbitrary, which can deadlock with a batch of logins.
      for (const { subject } of inLockOrder([{ tenantId: tenant.id, attempts: limits }]).attempts) {
        await deleteFrom(tx, 'login_attempts').where('subject', '=', subject).execute();
      }
      const target = { kind: 'user', id: userId } as const;
      await record(tx, caller, { action: 'user.unlocked', target, details: {} });
      return { unlocked };
    });
  }
}

function limitsOf(
  { config: { login_attempts_limit: limit } }: Tenant,
  user: { readonly id: UserId; readonly identifiers: readonly { readonly identifier: string }[] },
): UserLimit[] {
  const ofPasswords = user.identifiers.flatMap(({ identifier }) => {
    const base = { limit: 'password', identifier } as const;
    const inWindow = {
      kind: 'identifier',
      subject: counted('login identifier', identifier),
    } as const;
    const inDay = { kind: 'day', subject: counted('login identifier day', identifier) } as const;
    return [
      { ...base, ...inWindow, quota: limit },
      { ...base, ...inDay, quota: DAY_FACTOR * limit },
    ];
  });
  const ofCodes = (['totp', 'recovery_code'] as const).map((method) => ({
    limit: method,
    identifier: null,
    kind: 'identifier' as const,
    subject: guessSubject(method, user.id),
    quota: GUESS_LIMITS.login_attempts_limit,
  }));
  return [...ofPasswords, ...ofCodes];
}

/** Returns the limits that reject logins now; of two limits on the same passwords, the longer one. */
async function findReached(tx: TenantTx, limits: readonly UserLimit[]): Promise<UserLock[]> {
  const rows = await from(tx, 'login_attempts')
    .select(['subject', 'attempts', 'window_ends_at'])
    .where(
      'subject',
      'in',
      limits.map(({ subject }) => subject),
    )
    .where('window_ends_at', '>', tx.now)
    .orderBy('window_ends_at')
    .execute();
  const reached = rows.flatMap(({ subject, attempts, window_ends_at: until }) => {
    const found = limits.find((limit) => limit.subject.equals(subject));
    return found && attempts >= found.quota ? [{ ...found, until }] : [];
  });
  const locks = new Map(
    reached.map(({ limit, identifier, until }) => [
      `${limit} ${identifier}`,
      { limit, identifier, until: until.toISOString() },
    ]),
  );
  return [...locks.values()];
}
