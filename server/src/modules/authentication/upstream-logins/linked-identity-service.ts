import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { offersUpstream } from '../../../tenancy/login-methods.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { lockOneself, raiseAuthVersion } from '../../identity/users/index.ts';
import { deleteIdentity, findIdentities, linkIdentity } from '../identity-providers/index.ts';
import { findUserLoginMethods, canLogIn } from '../login-methods/index.ts';
import { type AuthorizationRequests, handoffHash } from './authorization-requests.ts';
import { linkingPageOf } from './upstream-login-rules.ts';
import { findIdentity, findLinked, takeHandoff } from './upstream-login-store.ts';

/** The wait after too many logins: until the last one has expired. */
const WAIT_SECONDS = 600;

/** Links identities at providers to the accounts of users, and unlinks them. */
export class LinkedIdentityService {
  readonly #gate: Gate;
  readonly #requests: AuthorizationRequests;
  readonly #notify: Notify;

  constructor(gate: Gate, requests: AuthorizationRequests, notify: Notify) {
    this.#gate = gate;
    this.#requests = requests;
    this.#notify = notify;
  }

  list(tenant: Tenant, { subject }: UserCaller): Promise<IdentityRecord[]> {
    return this.#gate.into(tenant.id).transaction((tx) => findIdentities(tx, subject));
  }

  /** Starts a login at the provider. @returns the URL to redirect the browser to */
  async beginLinking(
    tenant: Tenant,
    { subject: owner }: UserCaller,
    { provider, returnUrl }: { readonly provider: string; readonly returnUrl: string },
    fail: Fail<
      | 'METHOD_NOT_READY'
      | 'NOT_FOUND'
      | 'RETURN_URL_UNKNOWN'
      | 'PROVIDER_REFUSED'
      | 'TOO_MANY_ATTEMPTS'
    >,
  ): Promise<string> {
    if (!offersUpstream(tenant)) fail('METHOD_NOT_READY');
    const isOwnPage = returnUrl === linkingPageOf(tenant);
    const login = { owner, identifier: '', asksLogin: false };
    const url = await this.#requests.start(tenant, login, { provider, returnUrl, isOwnPage }, fail);
    return url ?? fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: WAIT_SECONDS });
  }

  /** Links the identity from a provider to the user who started the login. */
  finishLinking(
    tenant: Tenant,
    caller: UserCaller,
    handoff: string,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'PROVIDER_REFUSED' | 'IDENTITY_TAKEN'>,
  ): Promise<IdentityRecord> {
    const { subject: userId } = caller;
    const hash = handoffHash(handoff);
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const { providerId, identity } =
        (await findIdentity(tx, userId, hash)) ?? fail('PROVIDER_REFUSED');
      if (!(await takeHandoff(tx, userId, hash))) fail('PROVIDER_REFUSED');
      const linked = await findLinked(tx, providerId, identity.subject);
      if (linked?.id !== userId) {
        const context = { tx, tenant, notify: this.#notify, by: caller };
        const { subject, source } = identity;
        const link = { providerId, subject, source };
        if (linked || !(await linkIdentity(context, userId, link))) fail('IDENTITY_TAKEN');
      }
      const identities = await findIdentities(tx, userId);
      const present = identities.find(({ provider_id: id }) => id === providerId);
      return present ?? fail('PROVIDER_REFUSED');
    });
  }

  async unlink(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'LAST_LOGIN_METHOD'>,
  ): Promise<IdentityProviderId> {
    const { subject: userId } = caller;
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const identities = await findIdentities(tx, userId);
      const present = identities.find((identity) => identity.provider_id === providerId);
      const { name } = present ?? fail('NOT_FOUND');
      await deleteIdentity(tx, userId, providerId);
      // Checks the login methods that remain after the deletion.
      if (!canLogIn(tenant, await findUserLoginMethods(tx, userId))) fail('LAST_LOGIN_METHOD');
      await raiseAuthVersion(tx, userId);
      await record(tx, caller, {
        action: 'identity.unlinked',
        target: { kind: 'user', id: userId },
        details: { provider_id: providerId },
        events: [{ type: 'identity.unlinked', data: { user_id: userId, provider_id: providerId } }],
      });
      await this.#notify(tx, tenant, { userId, kind: 'notice.identity_unlinked', changed: name });
    });
    return providerId;
  }
}
