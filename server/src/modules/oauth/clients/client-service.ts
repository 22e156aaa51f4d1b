import type { Fail, FieldError } from '@keywright/contract/errors';
import {
  type ClientSecretId,
  type OAuthClientId,
  parseClientSecretId,
  parseOAuthClientId,
} from '@keywright/contract/ids';
import type {
  CreatedClientSecret,
  CreatedOAuthClient,
  OAuthClientRecord,
} from '@keywright/contract/records/oauth-client';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createClient, listClients, updateClient } from '@keywright/contract/routes/clients';
import { newOAuthClientId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type RepeatableRequest, once } from '../../../tenancy/idempotency.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { lockProviderForShare } from '../../authentication/identity-providers/index.ts';
import { record } from '../../events/journal/index.ts';
import { requireHoldings, requireMayChangeLogins } from '../../identity/roles/index.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import { unknownScopesOf, unknownTypesOf } from '../resources/index.ts';
import {
  type SectorList,
  type SectorLists,
  changesSector,
  flawsOfSector,
} from './client-documents.ts';
import { endClient, newSecret, writeClient } from './client-lifecycle.ts';
import { fieldsOf } from './client-metadata.ts';
import {
  type ClientFields,
  algorithmsOf,
  flawsOf,
  hasSecrets,
  isTrusted,
  permissionsOf,
  profileOf,
  requireCallable,
  scopesOfResources,
} from './client-rules.ts';
import {
  type ClientRow,
  countClients,
  deleteSecret,
  findClient,
  findClientPage,
  insertSecret,
  lockClient,
  presentClient,
  replaceClient,
} from './client-store.ts';

/** A request that a client can retry with an idempotency key. */
interface Request {
  readonly caller: Caller;
  readonly repeatable: RepeatableRequest | undefined;
}

type RefuseChange = Fail<'NOT_FOUND' | 'VALIDATION_FAILED' | 'SCOPE_NOT_HELD'>;

/** Lists that are compared as sets. */
const SETS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'scopes',
  'contacts',
  'authorization_details_types',
] as const;

/** Two during a rotation. */
export const MOST_SECRETS = 2;

/** Manages the OAuth clients of a tenant, for administrators. */
export class ClientService {
  readonly #core: Core;
  readonly #applicationKeys: ApplicationKeys;
  readonly #sectorLists: SectorLists;

  constructor(core: Core, applicationKeys: ApplicationKeys, sectorLists: SectorLists) {
    this.#core = core;
    this.#applicationKeys = applicationKeys;
    this.#sectorLists = sectorLists;
  }

  async list({ id }: Tenant, query: QueryOf<typeof listClients>, fail: Fail<'VALIDATION_FAILED'>) {
    const page = readPage([id, 'clients'], query, query.sort ?? '-created_at', fail);
    const { search } = query;
    const [rows, total] = await this.#core.gate
      .into(id)
      .transaction(
        async (tx) =>
          [await findClientPage(tx, page, search), await countClients(tx, search)] as const,
      );
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentClient);
  }

  async get(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<OAuthClientRecord> {
    const clientId = parseOAuthClientId(id) ?? fail('NOT_FOUND');
    const data = this.#core.gate.into(tenant.id);
    const row = await data.transaction((tx) => findClient(tx, clientId));
    return row ? presentClient(row) : fail('NOT_FOUND');
  }

  /** Registers a client. Only this response contains its secret: the response to a retry omits it. */
  async register(
    tenant: Tenant,
    { caller, repeatable }: Request,
    body: BodyOf<typeof createClient>,
    fail: Fail<'VALIDATION_FAILED' | 'SCOPE_NOT_HELD' | 'TOO_MANY_CLIENTS'>,
  ): Promise<CreatedOAuthClient> {
    const { gate, clock, egress } = this.#core;
    requireCallable(egress, body, fail);
    requireGoodProofs(body, egress, fail);
    const now = clock.now();
    const profile = profileOf(tenant, { profile: body.profile ?? 'none' });
    const fields = fieldsOf(body, profile);
    requireFlawless(flawsOf(fields, profile), fail);
    const { sector_identifier_uri: sector } = fields;
    const list = sector === null ? undefined : await this.#sectorLists.fetch(tenant.id, sector);
    await this.#applicationKeys.publish(tenant.id, algorithmsOf(fields));
    const id = newOAuthClientId(now);
    const secret = hasSecrets(fields.token_endpoint_auth_method) ? newSecret(now) : undefined;
    const created = await once(gate.into(tenant.id), repeatable, async (tx) => {
      requireFlawless(flawsOfSector(fields, list), fail);
      await requireHoldings(tx, caller, permissionsOf(fields.scopes), fail);
      if (isTrusted(fields)) await requireMayChangeLogins(tx, tenant, caller, fail);
      await requireExistingScopes(tx, fields.scopes, fail);
      await requireProviders(tx, fields, fail);
      await requireExistingTypes(tx, fields.authorization_details_types, fail);
      const client = { id, fields, secret, createdBy: 'admin' } as const;
      return presentClient(await writeClient(tx, caller, client, fail));
    });
    return created.id === id && secret ? { ...created, client_secret: secret.text } : created;
  }

  async change(
    tenant: Tenant,
    caller: Caller,
    id: string,
    patch: BodyOf<typeof updateClient>,
    fail: RefuseChange,
  ): Promise<OAuthClientRecord> {
    const { egress } = this.#core;
    requireCallable(egress, patch, fail);
    requireGoodProofs(patch, egress, fail);
    await this.#applicationKeys.publish(tenant.id, algorithmsOf(patch));
    let list: SectorList | undefined;
    for (;;) {
      const result = await this.#tryChange(tenant, { caller, id, patch, list }, fail);
      if (!('missingList' in result)) return result;
      // Fetched outside the transaction. A concurrent change can set another `sector_identifier_uri` in the meantime.
      list = await this.#sectorLists.fetch(tenant.id, result.missingList);
    }
  }

  /** @returns `missingList` if the change requires another list of redirect URIs; then nothing has changed */
  #tryChange(
    tenant: Tenant,
    { caller, id, patch, list }: ClientChange,
    fail: RefuseChange,
  ): Promise<OAuthClientRecord | { readonly missingList: string }> {
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
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
      // Otherwise the caller's redirect URI would receive the codes of users who see no consent page.
      if (isTrusted(before) || isTrusted(after)) {
        await requireMayChangeLogins(tx, tenant, caller, fail);
      }
      const flaws = flawsOf(after, profileOf(tenant, after));
      requireFlawless([...flawsOfOrigin(createdBy, change), ...flaws], fail);
      // Otherwise the consent page would request permissions, in the tenant's name, that the caller lacks.
      await requireHoldings(tx, caller, permissionsOf(after.scopes), fail);
      await requireExistingScopes(tx, change.scopes ?? [], fail);
      await requireExistingTypes(tx, change.authorization_details_types ?? [], fail);
      if (change.identity_assertions) await requireProviders(tx, after, fail);
      if (changesSector(change) && after.sector_identifier_uri !== null) {
        const { sector_identifier_uri: uri } = after;
        if (list?.uri !== uri) return { missingList: uri };
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

  remove(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
  ): Promise<OAuthClientId> {
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const client = await requireClient(tx, caller, id, fail);
      await endClient(tx, caller, client);
      return client.id;
    });
  }

  /** Adds a second secret. Only this response contains it. */
  async addSecret(
    tenant: Tenant,
    { caller, repeatable }: Request,
    id: string,
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'TOO_MANY_CLIENT_SECRETS' | 'CLIENT_HAS_NO_SECRET'>,
  ): Promise<CreatedClientSecret> {
    const { gate, clock } = this.#core;
    const secret = newSecret(clock.now());
    const created = await once(gate.into(tenant.id), repeatable, async (tx) => {
      const client = await requireClient(tx, caller, id, fail);
      const shown = presentClient(client);
      if (isTrusted(shown)) await requireMayChangeLogins(tx, tenant, caller, fail);
      if (!hasSecrets(shown.token_endpoint_auth_method)) fail('CLIENT_HAS_NO_SECRET');
      if (client.secrets.length >= MOST_SECRETS) fail('TOO_MANY_CLIENT_SECRETS');
      await insertSecret(tx, client.id, secret);
      await recordSecret(tx, caller, 'client.secret_created', client.id, secret.id);
      const created_at = tx.now.toISOString();
      return { id: secret.id, tenant_id: tx.tenantId, client_id: client.id, created_at };
    });
    return created.id === secret.id ? { ...created, client_secret: secret.text } : created;
  }

  removeSecret(
    tenant: Tenant,
    caller: Caller,
    { client_id: id, secret_id: text }: { client_id: string; secret_id: string },
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
  ): Promise<ClientSecretId> {
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const client = await requireClient(tx, caller, id, fail);
      const secretId = parseClientSecretId(text) ?? fail('NOT_FOUND');
      if (!(await deleteSecret(tx, client.id, secretId))) fail('NOT_FOUND');
      await recordSecret(tx, caller, 'client.secret_deleted', client.id, secretId);
      return secretId;
    });
  }
}

interface ClientChange {
  readonly caller: Caller;
  readonly id: string;
  readonly patch: BodyOf<typeof updateClient>;
  readonly list: SectorList | undefined;
}

/**
 * Returns the fields that cannot change: `first_party` of a client that registered itself, because no administrator
 * vouches for it, and all fields except `is_active` of a client with a document, because the next login reads it
 * again.
 */
function flawsOfOrigin(
  createdBy: OAuthClientRecord['created_by'],
  patch: Partial<ClientChange['patch']>,
): FieldError[] {
  const { is_active: _, ...change } = patch;
  const isPublished = createdBy === 'metadata_document';
  const refused = Object.keys(change).filter((name) => isPublished || name === 'first_party');
  if (createdBy === 'admin') return [];
  const message = isPublished
    ? 'is set by the document of the client'
    : 'cannot be set for a client that registered itself';
  return refused.map((name) => ({ path: `/${name}`, message }));
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

// Checks of clients that need the database. Each throws the errors of its route.

export function requireFlawless(errors: FieldError[], fail: Fail<'VALIDATION_FAILED'>): void {
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/**
 * Returns a client that the caller can change or delete, including its secrets, and locks it until the commit. The
 * caller must hold the client's permissions, because the tokens of its users would otherwise give the caller more
 * rights.
 */
export async function requireClient(
  tx: TenantTx,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ClientRow> {
  const clientId = parseOAuthClientId(id) ?? fail('NOT_FOUND');
  const row = (await lockClient(tx, clientId)) ?? fail('NOT_FOUND');
  await requireHoldings(tx, caller, permissionsOf(row.scopes), fail);
  return row;
}

/** Rejects misspelled scopes, which every token would silently lack. */
export async function requireExistingScopes(
  tx: TenantTx,
  scopes: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const unknown = await unknownScopesOf(tx, scopesOfResources(scopes));
  const message =
    'must be a scope of OpenID Connect, <action>:<resource>, or a scope of a resource';
  const errors = unknown.map((scope) => ({ path: `/scopes/${scopes.indexOf(scope)}`, message }));
  requireFlawless(errors, fail);
}

async function requireExistingTypes(
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
  requireFlawless(errors, fail);
}

/** Rejects identity providers that cannot issue assertions, because they do not exist or have no issuer. */
async function requireProviders(
  tx: TenantTx,
  { identity_assertions: assertions }: Pick<ClientFields, 'identity_assertions'>,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const rows = await Promise.all(assertions.providers.map((id) => lockProviderForShare(tx, id)));
  const message = 'is not an identity provider of the type oidc';
  const errors = rows.flatMap((row, index): FieldError[] =>
    row?.type === 'oidc' ? [] : [{ path: `/identity_assertions/providers/${index}`, message }],
  );
  requireFlawless(errors, fail);
}
