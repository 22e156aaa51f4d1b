import type { Fail } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf } from '@keywright/contract/route';
import type { updateMe } from '@keywright/contract/routes/me';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt, giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import type { EndedSession } from '../../events/journal/index.ts';
import { type PasswordPolicy, requireBoundedSecret } from '../../authentication/passwords/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  lockOneself,
  findSecretHash,
  findUser,
  forgetUndos,
  presentUser,
  recordUpdate,
  replaceSecretHash,
  requireGoodMetadata,
  updateUserRow,
} from '../users/index.ts';

type Patch = BodyOf<typeof updateMe>;
type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'TOKEN_INVALID'
  | 'STEP_UP_REQUIRED'
  | 'CURRENT_PASSWORD_WRONG'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
>;

interface PasswordChange {
  readonly before: string;
  readonly after: string;
}

export type UpdateMe = (
  tenant: Tenant,
  caller: UserCaller,
  patch: Patch,
  fail: Refuse,
) => Promise<UserRecord>;

export interface UpdateMeDependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly clock: Clock;
  readonly notify: Notify;
}

export function createUpdateMe(dependencies: UpdateMeDependencies): UpdateMe {
  const { gate, notify } = dependencies;
  return async (tenant, caller, patch, fail) => {
    const { user_metadata: asked } = patch;
    if (asked) requireGoodMetadata(asked, '/user_metadata', fail);
    const password = await preparePassword(dependencies, tenant, caller, patch, fail);
    return gate.into(tenant.id).transaction(async (tx) => {
      const before = await findOneself(tx, caller);
      const change = changedFields(patch, before);
      if (isEmpty(change)) return before;
      const { user_metadata: own } = change;
      const values = own && { user_metadata: JSON.stringify(own) };
      // The user is locked before their password, as by everybody.
      await updateUserRow(tx, caller.subject, { ...values }, password !== undefined);
      const ended = password ? await writePassword(tx, caller, password, fail) : [];
      const fields = Object.keys(change).filter((field) => field !== 'current_password');
      const reason = 'password_changed';
      await recordUpdate(tx, caller, caller.subject, { fields, ended, reason });
      if (password) {
        const kind = 'notice.password_changed';
        await notify(tx, tenant, { userId: caller.subject, kind });
      }
      return findOneself(tx, caller);
    });
  };
}

async function findOneself(tx: TenantTx, { subject }: UserCaller): Promise<UserRecord> {
  const row = await findUser(tx, subject);
  if (!row) throw new Error('The user of a live session does not exist.');
  return presentUser(row);
}

async function preparePassword(
  dependencies: UpdateMeDependencies,
  tenant: Tenant,
  caller: UserCaller,
  { password, current_password: current }: Patch,
  fail: Refuse,
): Promise<PasswordChange | undefined> {
  if (password === undefined && current === undefined) return undefined;
  if (password === undefined || current === undefined) {
    const path = password === undefined ? '/password' : '/current_password';
    const message = 'is required: password and current_password go together';
    return fail('VALIDATION_FAILED', { errors: [{ path, message }] });
  }
  requireBoundedSecret(current, '/current_password', fail);
  const { identifiers } = await dependencies.gate
    .into(tenant.id)
    .transaction((tx) => findOneself(tx, caller));
  const candidate = {
    secret: password,
    identifiers: identifiers.map(({ identifier }) => identifier),
    from: caller.from,
  };
  await dependencies.passwordPolicy.require(tenant, candidate, '/password', fail);
  const { step_up_max_age: maxAge } = tenant.config;
  await dependencies.gate
    .into(tenant.id)
    .transaction((tx) => lockOneself(tx, caller, fail, maxAge));
  const before = await verifyCurrent(dependencies, tenant, caller, current, fail);
  return {
    before,
    after: await dependencies.passwords.hash(password, hashShare(tenant.id, caller.from)),
  };
}

/** Attempts are limited like logins: a stolen token must not become a way to guess the password. */
async function verifyCurrent(
  { gate, passwords, clock }: UpdateMeDependencies,
  tenant: Tenant,
  caller: UserCaller,
  current: string,
  fail: Refuse,
): Promise<string> {
  const data = gate.into(tenant.id);
  const subject = counted('current password', caller.subject);
  const wait = await countAttempt(data, tenant.config, subject, clock.now());
  if (wait !== undefined) {
    const limits = [rateLimitOf('user', tenant.config)];
    fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait, limits });
  }
  const before = await data.transaction((tx) => findSecretHash(tx, caller.subject));
  if (
    !(await passwords.verify(before, current, hashShare(tenant.id, caller.from))) ||
    before === undefined
  ) {
    return fail('CURRENT_PASSWORD_WRONG');
  }
  await giveBackAttempt(data, subject, clock.now());
  return before;
}

async function writePassword(
  tx: TenantTx,
  caller: UserCaller,
  { before, after }: PasswordChange,
  fail: Refuse,
): Promise<EndedSession[]> {
  // Another request may have changed it while the hashes were computed.
  if (!(await replaceSecretHash(tx, caller.subject, before, after))) fail('CURRENT_PASSWORD_WRONG');
  // Whoever knows the password has seen what changed; the former one proves nothing any more.
  await forgetUndos(tx, caller.subject);
  return endSessionsOf(tx, caller.subject, 'password_changed', caller.sessionId);
}
