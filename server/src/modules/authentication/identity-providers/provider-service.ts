import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { ProviderDependents } from '@keywright/contract/records/provider-dependents';
import type { BodyOf } from '@keywright/contract/route';
import type {
  createIdentityProvider,
  updateIdentityProvider,
} from '@keywright/contract/routes/identity-providers';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { NotifyAdministrators } from '../../events/messages/index.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import { countOtherWays, hasAWay } from '../login-methods/index.ts';
import {
  callbackUrlOf,
  sealClientSecret,
  sourceOf,
  changesLogins,
  needsProvider,
  needsTest,
  flawsOf,
  sendSecretTo,
  settingsOf,
} from './provider-settings.ts';
import {
  providerOf,
  type ProviderRow,
  findDomainsOf,
  countIdentities,
  findProvider,
  countProviders,
  deleteProvider,
  findProviders,
  insertProvider,
  isNamedByClient,
  lockLoginMethods,
  lockProvider,
  noteActive,
  replaceProvider,
} from './provider-store.ts';

function presentProvider(row: ProviderRow, baseUrl: string): IdentityProviderRecord {
  const { settings, ...provider } = providerOf(row);
  return {
    id: provider.id,
    tenant_id: provider.tenantId,
    type: provider.type,
    name: provider.name,
    client_id: provider.clientId,
    has_client_secret: provider.clientSecret !== null,
    ...settings,
    callback_url: callbackUrlOf(baseUrl, provider),
    is_active: row.is_active,
    tested_at: row.tested_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** What is deleted with a provider, and who could no longer log in. */
export function findProviderDependents(
  data: TenantData,
  tenant: Tenant,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<ProviderDependents> {
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  return data.transaction(async (tx) => {
    if (!(await findProvider(tx, providerId))) fail('NOT_FOUND');
    const identities = await countIdentities(tx, providerId);
    const domains = await findDomainsOf(tx, providerId);
    const isFew = identities <= EXACT_TOTAL;
    return {
      provider_id: providerId,
      tenant_id: tenant.id,
      identities,
      ...(isFew && { without_other_way: await countStranded(tx, tenant, providerId) }),
      domains: domains.filter((one) => one.verified_at !== null).map(({ domain }) => domain),
    };
  });
}

async function countStranded(
  tx: TenantTx,
  tenant: Tenant,
  providerId: IdentityProviderId,
): Promise<number> {
  const alike = await countOtherWays(tx, providerId, EXACT_TOTAL);
  return alike.reduce((sum, one) => (hasAWay(tenant, one) ? sum : sum + one.users), 0);
}

const MOST_PROVIDERS = 50;

type Change = BodyOf<typeof updateIdentityProvider>;

interface Given {
  readonly notifyAdministrators: NotifyAdministrators;
  readonly egress: Egress;
  readonly dataKey: Buffer;
  readonly baseUrl: string;
}

/** @throws AppError VALIDATION_FAILED for settings that no login could use */
function requireUsable(
  { egress }: Given,
  type: IdentityProviderRecord['type'],
  state: Parameters<typeof flawsOf>[2],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = flawsOf(egress, type, state);
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

export async function listProvidersPage(
  tenant: TenantData,
  query: PageQuery & { readonly sort?: string },
  baseUrl: string,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const place = [tenant.tenantId, 'identity-providers'];
  const page = readPage(place, query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findProviders(tx, page), await countProviders(tx)] as const,
  );
  const present = (row: ProviderRow) => presentProvider(row, baseUrl);
  return listed(page, rows, total, (row) => row.created_at.toISOString(), present);
}

export async function getProviderById(
  tenant: TenantData,
  id: string,
  baseUrl: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<IdentityProviderRecord> {
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findProvider(tx, providerId));
  return row ? presentProvider(row, baseUrl) : fail('NOT_FOUND');
}

export async function writeProvider(
  tx: TenantTx,
  caller: Caller,
  given: Given,
  { id, ...body }: BodyOf<typeof createIdentityProvider> & { readonly id: IdentityProviderId },
  fail: Fail<
    'TOO_MANY_IDENTITY_PROVIDERS' | 'VALIDATION_FAILED' | 'PROVIDER_NOT_TESTED' | 'SCOPE_NOT_HELD'
  >,
): Promise<IdentityProviderRecord> {
  const { dataKey, baseUrl } = given;
  const settings = settingsOf(body.type, body);
  const { type, name, client_secret: secret, is_active: isActive = false } = body;
  requireUsable(given, type, { settings, isActive, hasSecret: secret !== undefined }, fail);
  if (isActive && !body.skip_test) fail('PROVIDER_NOT_TESTED');
  await lockLoginMethods(tx);
  await requireAsMuchAsAnyone(tx, caller, fail);
  if ((await countProviders(tx)) >= MOST_PROVIDERS) fail('TOO_MANY_IDENTITY_PROVIDERS');
  const row = await insertProvider(tx, {
    id,
    type,
    name,
    clientId: body.client_id,
    clientSecret:
      secret === undefined
        ? null
        : sealClientSecret(dataKey, { tenantId: tx.tenantId, id }, secret),
    settings,
    isActive,
  });
  await noteActive(tx);
  await record(tx, caller, {
    action: 'identity_provider.created',
    target: { kind: 'identity_provider', id },
    details: { type, issuer: settings.issuer, ...(isActive && { skip_test: true }) },
    events: [],
  });
  await given.notifyAdministrators(tx, caller, { what: 'provider_added', changed: nameOf(row) });
  return presentProvider(row, baseUrl);
}

type RefuseChange = Fail<
  | 'NOT_FOUND'
  | 'VALIDATION_FAILED'
  | 'PROVIDER_NOT_TESTED'
  | 'LAST_LOGIN_METHOD'
  | 'IN_USE'
  | 'SCOPE_NOT_HELD'
>;

export function changeProvider(
  tenant: TenantData,
  caller: Caller,
  given: Given,
  id: string,
  { skip_test: skipsTest = false, ...patch }: Change,
  fail: RefuseChange,
): Promise<IdentityProviderRecord> {
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  const { dataKey, baseUrl } = given;
  return tenant.transaction(async (tx) => {
    const methods = await lockLoginMethods(tx);
    await requireAsMuchAsAnyone(tx, caller, fail);
    const before = (await lockProvider(tx, providerId)) ?? fail('NOT_FOUND');
    const shown = presentProvider(before, baseUrl);
    const change = changesOf(before, shown, patch);
    if (isEmpty(change)) return shown;
    const { client_secret: secret, ...fields } = change;
    const after = { ...shown, ...fields };
    const settings = settingsOf(shown.type, after);
    const hasSecret = secret === undefined ? shown.has_client_secret : secret !== null;
    const isActive = after.is_active;
    requireUsable(given, shown.type, { settings, isActive, hasSecret }, fail);
    requireSecretFor(shown, { ...settings, client_id: after.client_id }, secret, fail);
    if (sourceOf(shown.type, shown) !== sourceOf(shown.type, settings)) {
      await refuseWhileRelied(tx, providerId, fail);
    }
    const isNewVersion = changesLogins(Object.keys(change));
    const isUntested = needsTest(before, { isActive, changesLogins: isNewVersion });
    if (isUntested && !skipsTest) fail('PROVIDER_NOT_TESTED');
    const replaced = {
      name: after.name,
      clientId: after.client_id,
      clientSecret: sealedSecret(tx, dataKey, before, secret),
      settings,
      isActive,
    };
    const row = await replaceProvider(tx, providerId, replaced, isNewVersion);
    await requireProviders(tx, methods, fail);
    const details = { fields: Object.keys(change), ...(isUntested && { skip_test: true }) };
    await noteChange(tx, caller, given, row, details);
    return presentProvider(row, baseUrl);
  });
}

async function noteChange(
  tx: TenantTx,
  caller: Caller,
  { notifyAdministrators }: Given,
  row: ProviderRow,
  details: { readonly fields: string[]; readonly skip_test?: boolean },
): Promise<void> {
  await record(tx, caller, {
    action: 'identity_provider.updated',
    target: { kind: 'identity_provider', id: row.id },
    details,
    events: [],
  });
  await notifyAdministrators(tx, caller, { what: 'provider_changed', changed: nameOf(row) });
}

const RELIED =
  'Users have linked identities there, or an application accepts its assertions. Another issuer would take over who they are: add a new provider.';

/** The provider is locked, and a link also locks it: a concurrent link is either counted or made with the new settings. */
async function refuseWhileRelied(
  tx: TenantTx,
  id: IdentityProviderId,
  fail: Fail<'IN_USE'>,
): Promise<void> {
  const isRelied = (await countIdentities(tx, id)) > 0 || (await isNamedByClient(tx, id));
  if (isRelied) fail('IN_USE', { detail: RELIED });
}

/** A secret always counts as changed: sealed secrets are not compared. */
function changesOf(
  before: ProviderRow,
  shown: IdentityProviderRecord,
  { client_secret: secret, ...fields }: Omit<Change, 'skip_test'>,
): Partial<Omit<Change, 'skip_test'>> {
  const changed = changedFields(fields, shown, ['scopes', 'domains', 'allowed_tenants']);
  const isSame = secret === undefined || (secret === null && before.client_secret === null);
  return isSame ? changed : { ...changed, client_secret: secret };
}

/** A stored secret is sent only to the place, and for the account, for which it was entered. */
function requireSecretFor(
  before: IdentityProviderRecord,
  after: Parameters<typeof sendSecretTo>[0],
  secret: string | null | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const recipients = sendSecretTo(before);
  const isSame = sendSecretTo(after).every((one, index) => one === recipients[index]);
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
  const of = { tenantId: tx.tenantId, id: id };
  return secret === null ? null : sealClientSecret(dataKey, of, secret);
}

export async function removeProvider(
  tenant: TenantData,
  caller: Caller,
  { notifyAdministrators }: Pick<Given, 'notifyAdministrators'>,
  id: string,
  fail: Fail<'NOT_FOUND' | 'LAST_LOGIN_METHOD' | 'SCOPE_NOT_HELD'>,
): Promise<IdentityProviderId> {
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    const methods = await lockLoginMethods(tx);
    await requireAsMuchAsAnyone(tx, caller, fail);
    const row = (await lockProvider(tx, providerId)) ?? fail('NOT_FOUND');
    await deleteProvider(tx, providerId);
    await requireProviders(tx, methods, fail);
    await record(tx, caller, {
      action: 'identity_provider.deleted',
      target: { kind: 'identity_provider', id: providerId },
      details: {},
      events: [],
    });
    await notifyAdministrators(tx, caller, { what: 'provider_deleted', changed: nameOf(row) });
  });
  return providerId;
}

/** The name in notices. It includes the host, which cannot be chosen as freely as the name. */
function nameOf({ name, settings }: Pick<ProviderRow, 'name' | 'settings'>): string {
  const { issuer } = settings as { readonly issuer?: string };
  const host = issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).host : issuer;
  return host === undefined ? name : `${name} (${host})`;
}

/** @throws AppError LAST_LOGIN_METHOD if no one could log in afterwards */
async function requireProviders(
  tx: TenantTx,
  methods: readonly string[] | undefined,
  fail: Fail<'LAST_LOGIN_METHOD'>,
): Promise<void> {
  const active = await noteActive(tx);
  if (active === 0 && needsProvider(methods)) fail('LAST_LOGIN_METHOD');
}
