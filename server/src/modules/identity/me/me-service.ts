import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import {
  type AccountDeletion,
  LISTED_WORKSPACES,
} from '@keywright/contract/records/account-deletion';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf } from '@keywright/contract/route';
import type { updateMe } from '@keywright/contract/routes/me';
import type { updateProfile } from '@keywright/contract/routes/profile';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import { type Caller, type UserCaller, hashShare } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt, giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import { type PasswordPolicy, requireBoundedSecret } from '../../authentication/passwords/index.ts';
import type { EndedSession } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { findUserDependents, getAgentById } from '../../machines/agents/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import { type UserService, deleteOneself } from '../user-administration/index.ts';
import {
  findSecretHash,
  findUser,
  appearanceIn,
  findProfile,
  forgetUndos,
  lockOneself,
  presentUser,
  localeIn,
  recordUpdate,
  replaceSecretHash,
  requireGoodMetadata,
  updateUserRow,
  withLocale,
} from '../users/index.ts';
import { countConsents, findMemberships } from './account-store.ts';

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
  readonly previousHash: string;
  readonly newHash: string;
}

/** The caller's own record: GET /me, PATCH /me. */
export class MeService {
  readonly #core: Core;
  readonly #users: UserService;
  readonly #passwordPolicy: PasswordPolicy;
  readonly #notices: Notices;

  constructor(core: Core, users: UserService, passwordPolicy: PasswordPolicy, notices: Notices) {
    this.#core = core;
    this.#users = users;
    this.#passwordPolicy = passwordPolicy;
    this.#notices = notices;
  }

  /** Returns the record of the user or agent. An agent that acts for a user gets the user's record. */
  async get(
    tenant: Tenant,
    caller: Caller,
    fail: Fail<'IMPERSONATION_REFUSED' | 'TOKEN_INVALID'>,
  ): Promise<UserRecord | AgentRecord> {
    if (caller.kind === 'impersonator') return fail('IMPERSONATION_REFUSED');
    // An authenticated caller exists, so the row is missing only if it was deleted during this request.
    const failDeleted = () => fail('TOKEN_INVALID');
    if (caller.kind !== 'agent') return this.#users.get(tenant.id, caller.subject, failDeleted);
    const { record, subject } = caller;
    return record ?? getAgentById(this.#core.gate.into(tenant.id), subject, failDeleted);
  }

  async update(
    tenant: Tenant,
    caller: UserCaller,
    patch: Patch,
    fail: Refuse,
  ): Promise<UserRecord> {
    if (patch.user_metadata) requireGoodMetadata(patch.user_metadata, '/user_metadata', fail);
    const password = await this.#preparePassword(tenant, caller, patch, fail);
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const before = await findOneself(tx, caller);
      const appearance = appearanceIn(patch, before, fail);
      const change = changedFields({ ...patch, ...appearance }, before);
      if (isEmpty(change)) return before;
      const { user_metadata: metadata } = change;
      const values = {
        ...(change.name !== undefined && { name: change.name }),
        ...(change.picture !== undefined && { picture: change.picture }),
        ...(metadata && { user_metadata: JSON.stringify(metadata) }),
      };
      // This locks the user before their password, in the same order as all transactions.
      await updateUserRow(tx, caller.subject, values, password !== undefined);
      const ended = password ? await writePassword(tx, caller, password, fail) : [];
      const fields = Object.keys(change).filter((field) => field !== 'current_password');
      const reason = 'password_changed';
      await recordUpdate(tx, caller, caller.subject, { fields, ended, reason });
      if (password) {
        const kind = 'notice.password_changed';
        await this.#notices.notify(tx, tenant, { userId: caller.subject, kind });
      }
      return findOneself(tx, caller);
    });
  }

  /** Verifies the current password and hashes the new one, before the transaction. */
  async #preparePassword(
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
    const data = this.#core.gate.into(tenant.id);
    const { identifiers } = await data.transaction((tx) => findOneself(tx, caller));
    const candidate = {
      secret: password,
      identifiers: identifiers.map(({ identifier }) => identifier),
      from: caller.from,
    };
    await this.#passwordPolicy.require(tenant, candidate, '/password', fail);
    const { step_up_max_age: maxAge } = tenant.config;
    await data.transaction((tx) => lockOneself(tx, caller, fail, maxAge));
    const previousHash = await this.#verifyCurrent(tenant, caller, current, fail);
    const share = hashShare(tenant.id, caller.from);
    return { previousHash, newHash: await this.#passwords.hash(password, share) };
  }

  /** Attempts are limited like logins, so that a stolen token cannot be used to guess the password. */
  async #verifyCurrent(
    tenant: Tenant,
    caller: UserCaller,
    current: string,
    fail: Refuse,
  ): Promise<string> {
    const { gate, clock } = this.#core;
    const data = gate.into(tenant.id);
    const subject = counted('current password', caller.subject);
    const wait = await countAttempt(data, tenant.config, subject, clock.now());
    if (wait !== undefined) {
      const limits = [rateLimitOf('user', tenant.config)];
      fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait, limits });
    }
    const hash = await data.transaction((tx) => findSecretHash(tx, caller.subject));
    const share = hashShare(tenant.id, caller.from);
    const isRight = await this.#passwords.verify(hash, current, share);
    if (!isRight || hash === undefined) return fail('CURRENT_PASSWORD_WRONG');
    await giveBackAttempt(data, subject, clock.now());
    return hash;
  }

  get #passwords(): PasswordHasher {
    return this.#core.passwords;
  }
}

type StoredProfile = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

function presentProfile({ name, picture, user_metadata: metadata }: StoredProfile) {
  return { name, picture, ...localeIn(metadata) };
}

async function findOneself(tx: TenantTx, { subject }: UserCaller): Promise<UserRecord> {
  const row = await findUser(tx, subject);
  if (!row) throw new Error('The user of a live session does not exist.');
  return presentUser(row);
}

async function writePassword(
  tx: TenantTx,
  { subject, sessionId }: UserCaller,
  { previousHash, newHash }: PasswordChange,
  fail: Refuse,
): Promise<EndedSession[]> {
  // Another request might have changed it while the hashes were computed.
  const isReplaced = await replaceSecretHash(tx, subject, previousHash, newHash);
  if (!isReplaced) fail('CURRENT_PASSWORD_WRONG');
  // A user who knows the password has seen the changes, and the previous password no longer proves anything.
  await forgetUndos(tx, subject);
  return endSessionsOf(tx, subject, 'password_changed', sessionId);
}

/** The caller's profile, and the deletion of their account. */
export class AccountService {
  readonly #gate: Gate;
  readonly #notices: Notices;

  constructor(gate: Gate, notices: Notices) {
    this.#gate = gate;
    this.#notices = notices;
  }

  getProfile(
    tenant: Tenant,
    { subject }: UserCaller,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<ProfileRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const profile = (await findProfile(tx, subject)) ?? fail('TOKEN_INVALID');
      return { user_id: subject, tenant_id: tenant.id, ...presentProfile(profile) };
    });
  }

  /** Changes the profile. The lock preserves concurrent changes to other members of `user_metadata`. */
  updateProfile(
    tenant: Tenant,
    caller: UserCaller,
    patch: BodyOf<typeof updateProfile>,
    fail: Fail<'VALIDATION_FAILED' | 'TOKEN_INVALID'>,
  ): Promise<ProfileRecord> {
    const { subject } = caller;
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const stored = (await findProfile(tx, subject, true)) ?? fail('TOKEN_INVALID');
      const before = presentProfile(stored);
      const change = changedFields({ ...patch, ...appearanceIn(patch, before, fail) }, before);
      if (!isEmpty(change)) {
        const { locale, ...appearance } = change;
        const metadata =
          locale === undefined ? undefined : withLocale(stored.user_metadata, locale);
        if (metadata) requireGoodMetadata(metadata, '/user_metadata', fail);
        const values = {
          ...appearance,
          ...(metadata && { user_metadata: JSON.stringify(metadata) }),
        };
        await updateUserRow(tx, subject, values, false);
        const fields = [...Object.keys(appearance), ...(metadata ? ['user_metadata'] : [])];
        await recordUpdate(tx, caller, subject, { fields, ended: [], reason: 'revoked' });
      }
      return { user_id: subject, tenant_id: tenant.id, ...before, ...change };
    });
  }

  /** Everything that would end with the account of the caller. */
  previewDeletion(
    tenant: Tenant,
    { subject }: UserCaller,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<AccountDeletion> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const dependents = (await findUserDependents(tx, subject, tx.now)) ?? fail('TOKEN_INVALID');
      const { is_active: _, ...ending } = dependents;
      return {
        ...ending,
        allowed: tenant.config.allow_account_deletion,
        consents: await countConsents(tx, subject),
        workspaces: await findMemberships(tx, subject, LISTED_WORKSPACES),
      };
    });
  }

  /**
   * Deletes the account of the caller.
   * @param identifier an address of the caller, to confirm the deletion
   */
  async delete(
    tenant: Tenant,
    caller: UserCaller,
    identifier: string,
    fail: Fail<
      | 'VALIDATION_FAILED'
      | 'TOKEN_INVALID'
      | 'STEP_UP_REQUIRED'
      | 'ACCOUNT_DELETION_OFF'
      | 'LAST_ADMINISTRATOR'
    >,
  ): Promise<UserId> {
    const { subject: userId } = caller;
    if (!tenant.config.allow_account_deletion) fail('ACCOUNT_DELETION_OFF');
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      await requireUserIdentifier(tx, userId, identifier, fail);
      // Notified first, because the verified addresses are deleted with the account.
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.account_deleted' });
      await deleteOneself(tx, caller, fail);
    });
    return userId;
  }
}

async function requireUserIdentifier(
  tx: TenantTx,
  userId: UserId,
  text: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const identifier = parseIdentifier(text)?.identifier;
  const user = await findUser(tx, userId);
  if (identifier && user?.identifiers.some((candidate) => candidate.identifier === identifier))
    return;
  const message = 'must be one of your identifiers';
  fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
}
