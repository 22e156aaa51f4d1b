import type { Fail, FieldError } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import type {
  CreatedOAuthClient,
  OAuthClientRecord,
} from '@keywright/contract/records/oauth-client';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createClient, listClients } from '@keywright/contract/routes/clients';
import { newOAuthClientId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { holdProvider } from '../../authentication/identity-providers/index.ts';
import { requireHeld, requireMayChangeLogins } from '../../identity/roles/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import { unknownScopesOf, unknownTypesOf } from '../resources/index.ts';
import { fieldsOf } from './defaults.ts';
import type { ClientFields } from './fields.ts';
import { presentClient } from './present.ts';
import { profileOf } from './profile.ts';
import {
  algorithmsOf,
  flawsOf,
  hasSecrets,
  isTrusted,
  permissionsOf,
  scopesOfResources,
} from './rules.ts';
import { newSecret } from './secret.ts';
import { endClient, writeClient } from './written.ts';
import { type FetchSectorList, flawsOfSector } from './sector.ts';
import { type ClientRow, countClients, findClient, findClientPage, lockClient } from './store.ts';

/** Who asks, and the idempotency key if one was sent. */
export interface Request {
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
export async function requireProviders(
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

export async function requireKnownTypes(
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
