import type { Fail, FieldError } from '@keywright/contract/errors';
import {
  type OAuthClientId,
  parseOAuthClientId,
  type ClientSecretId,
  parseClientSecretId,
} from '@keywright/contract/ids';
import type {
  CreatedOAuthClient,
  OAuthClientRecord,
  CreatedClientSecret,
} from '@keywright/contract/records/oauth-client';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createClient, listClients, updateClient } from '@keywright/contract/routes/clients';
import { newOAuthClientId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { holdProvider } from '../../authentication/identity-providers/index.ts';
import { record } from '../../events/journal/index.ts';
import { requireHeld, requireMayChangeLogins } from '../../identity/roles/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import { unknownScopesOf, unknownTypesOf } from '../resources/index.ts';
import { newSecret, endClient, writeClient } from './client-lifecycle.ts';
import { fieldsOf } from './client-metadata.ts';
import {
  type ClientFields,
  profileOf,
  algorithmsOf,
  flawsOf,
  hasSecrets,
  isTrusted,
  permissionsOf,
  scopesOfResources,
} from './client-rules.ts';
import {
  presentClient,
  type ClientRow,
  countClients,
  findClient,
  findClientPage,
  lockClient,
  replaceClient,
  deleteSecret,
  insertSecret,
} from './client-store.ts';
import {
  type FetchSectorList,
  flawsOfSector,
  changesSector,
  type SectorList,
} from './client-uris.ts';

/** Who asks, and the idempotency key if one was sent. */
interface Request {
  readonly caller: Caller;
  readonly now: Date;
  readonly repeatable: RepeatableRequest | undefined;
}

export async function listClientsPage(
  tenant: TenantData,
  query: QueryOf<typeof listClients>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'clients'], query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findClientPage(tx, page), await countClients(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentClient);
}

export async function getClientById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<OAuthClientRecord> {
  const clientId = parseOAuthClientId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findClient(tx, clientId));
  return row ? presentClient(row) : fail('NOT_FOUND');
}

/** What registering a client needs beside the database. */
interface RegistrationMeans {
  readonly of: Tenant;
  readonly publishKeys: PublishKeys;
  readonly fetchSectorList: FetchSectorList;
}

/** Registers a client. Only this answer shows its secret; a repeated request does not. */
export async function registerClient(
  tenant: TenantData,
  { of, publishKeys, fetchSectorList }: RegistrationMeans,
  { caller, now, repeatable }: Request,
  asked: BodyOf<typeof createClient>,
  fail: Fail<'VALIDATION_FAILED' | 'SCOPE_NOT_HELD' | 'TOO_MANY_CLIENTS'>,
): Promise<CreatedOAuthClient> {
  const profile = profileOf(of, { profile: asked.profile ?? 'none' });
  const fields = fieldsOf(asked, profile);
  requireFlawless(flawsOf(fields, profile), fail);
  const { sector_identifier_uri: sector } = fields;
  const list = sector === null ? undefined : await fetchSectorList(tenant.tenantId, sector);
  await publishKeys(tenant.tenantId, algorithmsOf(fields));
  const id = newOAuthClientId(now);
  const secret = hasSecrets(fields.token_endpoint_auth_method) ? newSecret(now) : undefined;
  const made = await once(tenant, repeatable, async (tx) => {
    requireFlawless(flawsOfSector(fields, list), fail);
    await requireHeld(tx, caller, permissionsOf(fields.scopes), fail);
    if (isTrusted(fields)) await requireMayChangeLogins(tx, of, caller, fail);
    await requireKnown(tx, fields.scopes, fail);
    await requireProviders(tx, fields, fail);
    await requireKnownTypes(tx, fields.authorization_details_types, fail);
    return presentClient(
      await writeClient(tx, caller, { id, fields, secret, createdBy: 'admin' }, fail),
    );
  });
  return made.id === id && secret ? { ...made, client_secret: secret.text } : made;
}

export function requireFlawless(errors: FieldError[], fail: Fail<'VALIDATION_FAILED'>): void {
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/** A misspelt scope would be left out of each token, and nobody would be told. */
export async function requireKnown(
  tx: TenantTx,
  scopes: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const unknown = await unknownScopesOf(tx, scopesOfResources(scopes));
  const message = 'is neither of OpenID Connect, nor <action>:<resource>, nor of a resource';
  const errors = unknown.map((scope) => ({ path: `/scopes/${scopes.indexOf(scope)}`, message }));
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/** One that is not there, or has no issuer, would never vouch for anybody. */
async function requireProviders(
  tx: TenantTx,
  { identity_assertions: assertions }: Pick<ClientFields, 'identity_assertions'>,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const rows = await Promise.all(assertions.providers.map((id) => holdProvider(tx, id)));
  const errors = rows.flatMap((row, index): FieldError[] =>
    row?.type === 'oidc'
      ? []
      : [
          {
            path: `/identity_assertions/providers/${index}`,
            message: 'is no identity provider of the type oidc',
          },
        ],
  );
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

async function requireKnownTypes(
  tx: TenantTx,
  types: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const unknown = await unknownTypesOf(tx, types);
  const message = 'is not a type of authorization details of a resource';
  const errors = unknown.map((type) => ({
    path: `/authorization_details_types/${types.indexOf(type)}`,
    message,
  }));
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/**
 * A client that the caller may change, end, or have a secret of: one whose permissions they have, or their users' tokens
 * would be a way to more rights. It is locked until the commit.
 */
export async function requireClient(
  tx: TenantTx,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ClientRow> {
  const clientId = parseOAuthClientId(id) ?? fail('NOT_FOUND');
  const row = (await lockClient(tx, clientId)) ?? fail('NOT_FOUND');
  await requireHeld(tx, caller, permissionsOf(row.scopes), fail);
  return row;
}

export function removeClient(
  tenant: TenantData,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<OAuthClientId> {
  return tenant.transaction(async (tx) => {
    const client = await requireClient(tx, caller, id, fail);
    await endClient(tx, caller, client);
    return client.id;
  });
}

/** Lists whose order says nothing. */
const SETS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'scopes',
  'contacts',
  'authorization_details_types',
] as const;

interface AskedChange {
  readonly of: Tenant;
  readonly caller: Caller;
  readonly id: string;
  readonly patch: BodyOf<typeof updateClient>;
}

type RefuseChange = Fail<'NOT_FOUND' | 'VALIDATION_FAILED' | 'SCOPE_NOT_HELD'>;

export async function changeClient(
  tenant: TenantData,
  fetchSectorList: FetchSectorList,
  asked: AskedChange,
  fail: RefuseChange,
): Promise<OAuthClientRecord> {
  let list: SectorList | undefined;
  for (;;) {
    const changed = await tryChange(tenant, asked, list, fail);
    if (!('needed' in changed)) return changed;
    // Not within the transaction. Another change may have set another list meanwhile.
    list = await fetchSectorList(tenant.tenantId, changed.needed);
  }
}

/** Nobody vouches for a client that registered itself, and what its document says is said again at the next login. */
function flawsOfOrigin(
  createdBy: OAuthClientRecord['created_by'],
  patch: Partial<AskedChange['patch']>,
): FieldError[] {
  const { is_active: _, ...change } = patch;
  const isPublished = createdBy === 'metadata_document';
  const refused = Object.keys(change).filter((name) => isPublished || name === 'first_party');
  if (createdBy === 'admin') return [];
  const message = isPublished
    ? 'is what the document of the client says'
    : 'cannot be set for a client that registered itself';
  return refused.map((name) => ({ path: `/${name}`, message }));
}

/** @returns which list of redirect URIs it needs, where that is not this one; then nothing has changed */
function tryChange(
  tenant: TenantData,
  { of, caller, id, patch }: AskedChange,
  list: SectorList | undefined,
  fail: RefuseChange,
): Promise<OAuthClientRecord | { readonly needed: string }> {
  return tenant.transaction(async (tx) => {
    const before = presentClient(await requireClient(tx, caller, id, fail));
    const change = changedFields(patch, before, SETS);
    if (isEmpty(change)) return before;
    const {
      id: clientId,
      tenant_id: _,
      secrets: __,
      created_at: ___,
      last_used_at: ____,
      created_by: createdBy,
      ...fields
    } = before;
    const after = { ...fields, ...change };
    // A redirect URI of one's own would get the codes of users who are not asked.
    if (isTrusted(before) || isTrusted(after)) await requireMayChangeLogins(tx, of, caller, fail);
    const flaws = flawsOf(after, profileOf(of, after));
    requireFlawless([...flawsOfOrigin(createdBy, change), ...flaws], fail);
    // Users would be asked for permissions that the caller lacks, in the tenant's name.
    await requireHeld(tx, caller, permissionsOf(after.scopes), fail);
    await requireKnown(tx, change.scopes ?? [], fail);
    await requireKnownTypes(tx, change.authorization_details_types ?? [], fail);
    if (change.identity_assertions) await requireProviders(tx, after, fail);
    if (changesSector(change) && after.sector_identifier_uri !== null) {
      const { sector_identifier_uri: needed } = after;
      if (list?.uri !== needed) return { needed };
      requireFlawless(flawsOfSector(after, list), fail);
    }
    await replaceClient(tx, clientId, after);
    await record(tx, caller, {
      action: 'client.updated',
      target: { kind: 'client', id: clientId },
      details: { fields: Object.keys(change), ...change },
      events: [],
    });
    return { ...before, ...change };
  });
}

/** Two during a rotation. */
const MOST_SECRETS = 2;

/** A further secret, beside the present one. */
export async function addSecret(
  tenant: TenantData,
  of: Tenant,
  { caller, now, repeatable }: Request,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'TOO_MANY_CLIENT_SECRETS' | 'CLIENT_HAS_NO_SECRET'>,
): Promise<CreatedClientSecret> {
  const secret = newSecret(now);
  const made = await once(tenant, repeatable, async (tx) => {
    const client = await requireClient(tx, caller, id, fail);
    const shown = presentClient(client);
    if (isTrusted(shown)) await requireMayChangeLogins(tx, of, caller, fail);
    if (!hasSecrets(shown.token_endpoint_auth_method)) fail('CLIENT_HAS_NO_SECRET');
    if (client.secrets.length >= MOST_SECRETS) fail('TOO_MANY_CLIENT_SECRETS');
    await insertSecret(tx, client.id, secret);
    await recordSecret(tx, caller, 'client.secret_created', client.id, secret.id);
    const created_at = tx.now.toISOString();
    return { id: secret.id, tenant_id: tx.tenantId, client_id: client.id, created_at };
  });
  return made.id === secret.id ? { ...made, client_secret: secret.text } : made;
}

export function removeSecret(
  tenant: TenantData,
  caller: Caller,
  { client_id: id, secret_id: secretText }: { client_id: string; secret_id: string },
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ClientSecretId> {
  return tenant.transaction(async (tx) => {
    const client = await requireClient(tx, caller, id, fail);
    const secretId = parseClientSecretId(secretText) ?? fail('NOT_FOUND');
    if (!(await deleteSecret(tx, client.id, secretId))) fail('NOT_FOUND');
    await recordSecret(tx, caller, 'client.secret_deleted', client.id, secretId);
    return secretId;
  });
}

function recordSecret(
  tx: TenantTx,
  caller: Caller,
  action: 'client.secret_created' | 'client.secret_deleted',
  id: OAuthClientId,
  secretId: ClientSecretId,
): Promise<void> {
  const details = { secret_id: secretId };
  return record(tx, caller, { action, target: { kind: 'client', id }, details, events: [] });
}
