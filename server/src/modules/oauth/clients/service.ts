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
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { record, sessionRevoked } from '../../events/journal/index.ts';
import { requireHeld } from '../../identity/roles/index.ts';
import { endSessionsOfClient } from '../../tokens/sessions/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import { unknownScopesOf } from '../resources/index.ts';
import { presentClient } from './present.ts';
import {
  algorithmsOf,
  type ClientFields,
  flawsOf,
  hasSecrets,
  permissionsOf,
  scopesOfResources,
  usualAuthentication,
} from './rules.ts';
import { newSecret } from './secret.ts';
import { type FetchSectorList, flawsOfSector } from './sector.ts';
import {
  type ClientRow,
  countClients,
  deleteClientRow,
  findClient,
  findClients,
  hasClients,
  insertClient,
  insertSecret,
  lockClient,
} from './store.ts';

const MOST_CLIENTS = 20_000;
const USUAL_SCOPES = ['openid', 'profile', 'email'];

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
    async (tx) => [await findClients(tx, page), await countClients(tx)] as const,
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
  readonly publishKeys: PublishKeys;
  readonly fetchSectorList: FetchSectorList;
}

/** Registers a client. Only this answer shows its secret; a repeated request does not. */
export async function registerClient(
  tenant: TenantData,
  { publishKeys, fetchSectorList }: RegistrationMeans,
  { caller, now, repeatable }: Request,
  asked: BodyOf<typeof createClient>,
  fail: Fail<'VALIDATION_FAILED' | 'SCOPE_NOT_HELD' | 'TOO_MANY_CLIENTS'>,
): Promise<CreatedOAuthClient> {
  const fields = fieldsOf(asked);
  requireFlawless(flawsOf(fields), fail);
  const { sector_identifier_uri: sector } = fields;
  const list = sector === null ? undefined : await fetchSectorList(tenant.tenantId, sector);
  await publishKeys(tenant.tenantId, algorithmsOf(fields));
  const id = newOAuthClientId(now);
  const secret = hasSecrets(fields.token_endpoint_auth_method) ? newSecret(now) : undefined;
  const made = await once(tenant, repeatable, async (tx) => {
    requireFlawless(flawsOfSector(fields, list), fail);
    await requireHeld(tx, caller, permissionsOf(fields.scopes), fail);
    await requireKnown(tx, fields.scopes, fail);
    if (await hasClients(tx, MOST_CLIENTS)) fail('TOO_MANY_CLIENTS');
    await insertClient(tx, id, fields);
    if (secret) await insertSecret(tx, id, secret);
    const { name, kind, first_party, redirect_uris, scopes } = fields;
    await record(tx, caller, {
      action: 'client.created',
      target: { kind: 'client', id },
      details: { name, kind, first_party, redirect_uris, scopes },
      events: [],
    });
    const row = await findClient(tx, id);
    if (!row) throw new Error(`The client ${id} was not written.`);
    return presentClient(row);
  });
  return made.id === id && secret ? { ...made, client_secret: secret.text } : made;
}

function fieldsOf({
  kind,
  token_endpoint_auth_method: authentication = usualAuthentication(kind),
  ...asked
}: BodyOf<typeof createClient>): ClientFields {
  return {
    first_party: false,
    post_logout_redirect_uris: [],
    backchannel_logout_uri: null,
    backchannel_logout_session_required: false,
    require_pushed_authorization_requests: false,
    grant_types: ['authorization_code'],
    scopes: USUAL_SCOPES,
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: 'RS256',
    userinfo_signed_response_alg: null,
    subject_type: 'public',
    sector_identifier_uri: null,
    id_token_claims: true,
    client_uri: null,
    policy_uri: null,
    tos_uri: null,
    contacts: [],
    default_max_age: null,
    require_pkce: false,
    dpop_bound_access_tokens: false,
    require_signed_request_object: false,
    is_active: true,
    ...asked,
    kind,
    token_endpoint_auth_method: authentication,
  };
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
    const { id: clientId, name } = await requireClient(tx, caller, id, fail);
    await deleteClientRow(tx, clientId);
    // Last: a code that was being redeemed held a consent, which the deletion has waited for.
    const ended = await endSessionsOfClient(tx, clientId, 'client_deleted');
    await record(tx, caller, {
      action: 'client.deleted',
      target: { kind: 'client', id: clientId },
      details: { name, sessions: ended.length },
      events: ended.map((session) => sessionRevoked(session, 'client_deleted')),
    });
    return clientId;
  });
}
