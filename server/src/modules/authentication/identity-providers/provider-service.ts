import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import type {
  IdentityProviderRecord,
  PreparedProvider,
} from '@keywright/contract/records/identity-provider';
import type { ProviderDependents } from '@keywright/contract/records/provider-dependents';
import type { BodyOf } from '@keywright/contract/route';
import type {
  createIdentityProvider,
  updateIdentityProvider,
} from '@keywright/contract/routes/identity-providers';
import { isRecentProviderId, newIdentityProviderId } from '../../../platform/crypto/ids.ts';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import { deleteIdentitiesAt, countIdentities } from '../../identity/users/index.ts';
import { canLogIn, countUsersByOtherLoginMethods } from '../proofs/index.ts';
import {
  callbackUrlOf,
  changesLogins,
  flawsOf,
  needsProvider,
  needsTest,
  type ProviderSettings,
  sealClientSecret,
  secretRecipientsOf,
  settingsOf,
  sourceOf,
} from './provider-settings.ts';
import {
  type ProviderRow,
  countProviders,
  deleteProvider,
  findDomainsOf,
  findProvider,
  findProviders,
  insertProvider,
  isNamedByClient,
  lockLoginMethods,
  lockProvider,
  providerOf,
  replaceProvider,
  updateActiveProviders,
} from './provider-store.ts';

export const MOST_PROVIDERS = 50;

type Patch = Omit<BodyOf<typeof updateIdentityProvider>, 'skip_test'>;

type RefuseChange = Fail<
  | 'NOT_FOUND'
  | 'VALIDATION_FAILED'
  | 'PROVIDER_NOT_TESTED'
  | 'LAST_LOGIN_METHOD'
  | 'IN_USE'
  | 'SCOPE_NOT_HELD'
>;

/** Manages identity providers for administrators. */
export class ProviderService {
  readonly #core: Core;
  readonly #notices: Notices;

  constructor(core: Core, notices: Notices) {
    this.#core = core;
    this.#notices = notices;
  }

  async list(
    { id: tenantId }: Tenant,
    query: PageQuery & { readonly sort?: string },
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const place = [tenantId, 'identity-providers'];
    const page = readPage(place, query, query.sort ?? '-created_at', fail);
    const [rows, total] = await this.#core.gate
      .into(tenantId)
      .transaction(
        async (tx) => [await findProviders(tx, page), await countProviders(tx)] as const,
      );
    const present = (row: ProviderRow) => this.#present(row);
    return listed(page, rows, total, (row) => row.created_at.toISOString(), present);
  }

  async get(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<IdentityProviderRecord> {
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    const data = this.#core.gate.into(tenant.id);
    const row = await data.transaction((tx) => findProvider(tx, providerId));
    return row ? this.#present(row) : fail('NOT_FOUND');
  }

  /** Finds what is deleted with a provider, and how many users could no longer log in. */
  findDependents(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<ProviderDependents> {
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      if (!(await findProvider(tx, providerId))) fail('NOT_FOUND');
      const identities = await countIdentities(tx, providerId);
      const domains = await findDomainsOf(tx, providerId);
      const isExact = identities <= EXACT_TOTAL;
      return {
        provider_id: providerId,
        tenant_id: tenant.id,
        identities,
        ...(isExact && { without_other_way: await countStranded(tx, tenant, providerId) }),
        domains: domains
          .filter((domain) => domain.verified_at !== null)
          .map(({ domain }) => domain),
      };
    });
  }

  /** Returns the callback URL of a provider that does not exist yet. */
  prepare({ id: tenantId }: Tenant): PreparedProvider {
    const id = newIdentityProviderId(this.#core.clock.now());
    const callbackUrl = callbackUrlOf(this.#core.baseUrl(), { tenantId, id });
    const demoIssuer = this.#core.config.demoProvider ?? null;
    return { id, tenant_id: tenantId, callback_url: callbackUrl, demo_issuer: demoIssuer };
  }

  create(
    tenant: Tenant,
    caller: Caller,
    body: BodyOf<typeof createIdentityProvider>,
    repeatable: Parameters<typeof once>[1],
    fail: Fail<
      'TOO_MANY_IDENTITY_PROVIDERS' | 'VALIDATION_FAILED' | 'PROVIDER_NOT_TESTED' | 'SCOPE_NOT_HELD'
    >,
  ) {
    const { gate, dataKeys, clock } = this.#core;
    const id = body.id ?? newIdentityProviderId(clock.now());
    if (!isRecentProviderId(id, clock.now())) refuseId('is more than 24 hours old', fail);
    const { type, name, client_secret: secret, is_active: isActive = false } = body;
    const settings = settingsOf(type, body);
    return dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, async (tx) => {
        this.#requireUsable(type, { settings, isActive, hasSecret: secret !== undefined }, fail);
        if (isActive && !body.skip_test) fail('PROVIDER_NOT_TESTED');
        await lockLoginMethods(tx);
        await requireAsMuchAsAnyone(tx, caller, fail);
        if (body.id && (await findProvider(tx, id)))
          refuseId('is the ID of another provider', fail);
        if ((await countProviders(tx)) >= MOST_PROVIDERS) fail('TOO_MANY_IDENTITY_PROVIDERS');
        const clientSecret =
          secret === undefined
            ? null
            : sealClientSecret(dataKey, { tenantId: tenant.id, id }, secret);
        const clientId = body.client_id;
        const provider = { id, type, name, clientId, clientSecret, settings, isActive };
        const row = await insertProvider(tx, provider);
        await updateActiveProviders(tx);
        await record(tx, caller, {
          action: 'identity_provider.created',
          target: { kind: 'identity_provider', id },
          details: { type, issuer: settings.issuer, ...(isActive && { skip_test: true }) },
          events: [],
        });
        await this.#notices.notifyAdministrators(tx, caller, {
          what: 'provider_added',
          changed: nameWithHost(row),
        });
        return this.#present(row);
      }),
    );
  }

  update(
    tenant: Tenant,
    caller: Caller,
    id: string,
    { skip_test: skipsTest = false, ...patch }: BodyOf<typeof updateIdentityProvider>,
    fail: RefuseChange,
  ): Promise<IdentityProviderRecord> {
    const { gate, dataKeys } = this.#core;
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    return dataKeys.use(tenant.id, (dataKey) =>
      gate.into(tenant.id).transaction(async (tx) => {
        const methods = await lockLoginMethods(tx);
        await requireAsMuchAsAnyone(tx, caller, fail);
        const before = (await lockProvider(tx, providerId)) ?? fail('NOT_FOUND');
        const shown = this.#present(before);
        const change = changesOf(before, shown, patch);
        if (isEmpty(change)) return shown;
        const replacement = await this.#replacementOf(tx, dataKey, before, change, fail);
        const isNewVersion = changesLogins(Object.keys(change));
        const { isActive } = replacement;
        const isUntested = needsTest(before, { isActive, changesLogins: isNewVersion });
        if (isUntested && !skipsTest) fail('PROVIDER_NOT_TESTED');
        const row = await replaceProvider(tx, providerId, replacement, isNewVersion);
        await requireLoginMethod(tx, methods, fail);
        await record(tx, caller, {
          action: 'identity_provider.updated',
          target: { kind: 'identity_provider', id: row.id },
          details: { fields: Object.keys(change), ...(isUntested && { skip_test: true }) },
          events: [],
        });
        const notice = { what: 'provider_changed', changed: nameWithHost(row) } as const;
        await this.#notices.notifyAdministrators(tx, caller, notice);
        return this.#present(row);
      }),
    );
  }

  async delete(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND' | 'LAST_LOGIN_METHOD' | 'SCOPE_NOT_HELD'>,
  ): Promise<IdentityProviderId> {
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    await this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const methods = await lockLoginMethods(tx);
      await requireAsMuchAsAnyone(tx, caller, fail);
      const row = (await lockProvider(tx, providerId)) ?? fail('NOT_FOUND');
      await deleteProvider(tx, providerId);
      await deleteIdentitiesAt(tx, providerId);
      await requireLoginMethod(tx, methods, fail);
      await record(tx, caller, {
        action: 'identity_provider.deleted',
        target: { kind: 'identity_provider', id: providerId },
        details: {},
        events: [],
      });
      const notice = { what: 'provider_deleted', changed: nameWithHost(row) } as const;
      await this.#notices.notifyAdministrators(tx, caller, notice);
    });
    return providerId;
  }

  /** The provider after a change. @throws AppError if no login could use it */
  async #replacementOf(
    tx: TenantTx,
    dataKey: Buffer,
    before: ProviderRow,
    { client_secret: secret, ...fields }: Partial<Patch>,
    fail: RefuseChange,
  ) {
    const shown = this.#present(before);
    const after = { ...shown, ...fields };
    const settings = settingsOf(shown.type, after);
    const hasSecret = secret === undefined ? shown.has_client_secret : secret !== null;
    const isActive = after.is_active;
    this.#requireUsable(shown.type, { settings, isActive, hasSecret }, fail);
    requireSecretFor(shown, { ...settings, client_id: after.client_id }, secret, fail);
    if (sourceOf(shown.type, shown) !== sourceOf(shown.type, settings)) {
      await refuseWhileRelied(tx, before.id, fail);
    }
    const clientSecret = sealedSecret(tx, dataKey, before, secret);
    return { name: after.name, clientId: after.client_id, clientSecret, settings, isActive };
  }

  /** @throws AppError VALIDATION_FAILED for settings that no login could use */
  #requireUsable(
    type: IdentityProviderRecord['type'],
    state: Parameters<typeof flawsOf>[2],
    fail: Fail<'VALIDATION_FAILED'>,
  ): void {
    const errors = flawsOf(this.#core.egress, type, state);
    if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
  }

  #present(row: ProviderRow): IdentityProviderRecord {
    const { settings, ...provider } = providerOf(row);
    return {
      id: provider.id,
      tenant_id: provider.tenantId,
      type: provider.type,
      name: provider.name,
      client_id: provider.clientId,
      has_client_secret: provider.clientSecret !== null,
      ...settings,
      callback_url: callbackUrlOf(this.#core.baseUrl(), provider),
      is_active: row.is_active,
      tested_at: row.tested_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
    };
  }
}

function refuseId(message: string, fail: Fail<'VALIDATION_FAILED'>): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: '/id', message }] });
}

/** Counts the users without another login method. */
async function countStranded(
  tx: TenantTx,
  tenant: Tenant,
  providerId: IdentityProviderId,
): Promise<number> {
  const groups = await countUsersByOtherLoginMethods(tx, providerId, EXACT_TOTAL);
  return groups.reduce((sum, group) => (canLogIn(tenant, group) ? sum : sum + group.users), 0);
}

const RELIED =
  'Users have linked identities at this provider, or an application accepts its assertions. Another issuer could claim to be these users: add a new provider instead.';

/**
 * Refuses a change while users rely on the provider. The provider is locked, as it is by a link: a concurrent link is
 * either counted or made with the new settings.
 */
async function refuseWhileRelied(
  tx: TenantTx,
  id: IdentityProviderId,
  fail: Fail<'IN_USE'>,
): Promise<void> {
  const isRelied = (await countIdentities(tx, id)) > 0 || (await isNamedByClient(tx, id));
  if (isRelied) fail('IN_USE', { detail: RELIED });
}

/** Returns the changed fields. A new secret always counts as changed, because sealed secrets are not compared. */
function changesOf(
  before: ProviderRow,
  shown: IdentityProviderRecord,
  { client_secret: secret, ...fields }: Patch,
): Partial<Patch> {
  const changed = changedFields(fields, shown, ['scopes', 'domains', 'allowed_tenants']);
  const isSame = secret === undefined || (secret === null && before.client_secret === null);
  return isSame ? changed : { ...changed, client_secret: secret };
}

/**
 * Requires a new secret if its endpoint or account changes: a stored secret is only sent to those it was entered for.
 */
function requireSecretFor(
  before: IdentityProviderRecord,
  after: ProviderSettings & { readonly client_id: string },
  secret: string | null | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const recipients = secretRecipientsOf(before);
  const isSame = secretRecipientsOf(after).every(
    (recipient, index) => recipient === recipients[index],
  );
  if (!before.has_client_secret || isSame || secret !== undefined) return;
  const message = 'is required with a new issuer, endpoint, client_id, team_id or key_id';
  fail('VALIDATION_FAILED', { errors: [{ path: '/client_secret', message }] });
}

function sealedSecret(
  tx: TenantTx,
  dataKey: Buffer,
  { id, client_secret: before }: ProviderRow,
  secret: string | null | undefined,
): Buffer | null {
  if (secret === undefined) return before;
  return secret === null ? null : sealClientSecret(dataKey, { tenantId: tx.tenantId, id }, secret);
}

/** Returns the name for notices. It includes the host, because a name alone can be chosen freely. */
function nameWithHost(row: ProviderRow): string {
  const { name, settings } = providerOf(row);
  const { issuer } = settings;
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer;
  return `${name} (${host})`;
}

/** @throws AppError LAST_LOGIN_METHOD if no user could log in after the change */
async function requireLoginMethod(
  tx: TenantTx,
  methods: readonly string[] | undefined,
  fail: Fail<'LAST_LOGIN_METHOD'>,
): Promise<void> {
  const active = await updateActiveProviders(tx);
  if (active === 0 && needsProvider(methods)) fail('LAST_LOGIN_METHOD');
}
