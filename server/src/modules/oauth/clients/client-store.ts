import type { ClientSecretId, OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { sql } from 'kysely';
import { findClientVersions } from '../../../../sql/oauth/kw_find_client_versions.ts';
import { findClients } from '../../../../sql/oauth/kw_find_clients.ts';
import { touchClient } from '../../../../sql/oauth/kw_touch_client.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import { type Page, countUpToLimit, pageOf } from '../../../platform/db/page.ts';
import {
  deleteFrom,
  from,
  type Gate,
  type SystemTx,
  type TenantTx,
  update,
} from '../../../tenancy/gate.ts';
import type { Use } from '../../../tenancy/activity.ts';
import type { ClientFields } from './client-rules.ts';

const secretsOfClient = sql<{ id: ClientSecretId; created_at: string }[]>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'created_at', s.created_at)
                            ORDER BY s.created_at, s.id), '[]')
    FROM oauth_client_secrets s WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id)`;

function clients(tx: TenantTx) {
  return from(tx, 'oauth_clients as c');
}

export function findClient(tx: TenantTx, id: OAuthClientId) {
  return clients(tx)
    .selectAll()
    .select(secretsOfClient.as('secrets'))
    .where('c.id', '=', id)
    .executeTakeFirst();
}

export type ClientRow = NonNullable<Awaited<ReturnType<typeof findClient>>>;

/** Locks the client until the commit, so that it cannot be deleted. @returns whether it exists */
export async function lockClientKey(tx: TenantTx, id: OAuthClientId): Promise<boolean> {
  const row = await from(tx, 'oauth_clients')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Serializes changes of what belongs to a client until the commit, such as the number of its streams. */
export async function serializeClientChanges(tx: TenantTx, id: OAuthClientId): Promise<void> {
  await from(tx, 'oauth_clients').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Locked until the commit. */
export function lockClient(tx: TenantTx, id: OAuthClientId): Promise<ClientRow | undefined> {
  return clients(tx)
    .selectAll()
    .select(secretsOfClient.as('secrets'))
    .where('c.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The clients whose name contains a text, or which have it as their ID; all clients without one. */
function searched(tx: TenantTx, search: string | undefined) {
  if (search === undefined) return clients(tx);
  // strpos treats % and _ as ordinary characters.
  return clients(tx).where(
    sql<boolean>`(strpos(lower(c.name), lower(${search})) > 0 OR c.id = ${search})`,
  );
}

/** Returns a page, plus one row if there are more. */
export function findClientPage(tx: TenantTx, page: Page, search?: string): Promise<ClientRow[]> {
  const query = searched(tx, search).selectAll().select(secretsOfClient.as('secrets'));
  return pageOf(query, page).execute();
}

export function countClients(tx: TenantTx, search?: string): Promise<number> {
  return countUpToLimit(tx, searched(tx, search).select('c.id'));
}

/** Whether the tenant has at least this many clients. */
export async function hasClients(tx: TenantTx, count: number): Promise<boolean> {
  const row = await clients(tx)
    .select('c.id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertClient(
  tx: TenantTx,
  id: OAuthClientId,
  fields: ClientFields,
  createdBy: OAuthClientRecord['created_by'],
): Promise<void> {
  tx.changed();
  await tx.db
    .insertInto('oauth_clients')
    .values({
      tenant_id: tx.tenantId,
      id,
      ...columnsOf(fields),
      created_by: createdBy,
      created_at: tx.now,
    })
    .execute();
}

export async function replaceClient(
  tx: TenantTx,
  id: OAuthClientId,
  fields: ClientFields,
): Promise<void> {
  tx.changed();
  await update(tx, 'oauth_clients').set(columnsOf(fields)).where('id', '=', id).execute();
}

function columnsOf(fields: ClientFields) {
  const { jwks, identity_assertions: assertions, ...columns } = fields;
  return {
    ...columns,
    jwks: jwks && JSON.stringify(jwks),
    identity_assertions: JSON.stringify(assertions),
  };
}

/** Also deletes its secrets. */
export async function deleteClientRow(tx: TenantTx, id: OAuthClientId): Promise<boolean> {
  tx.changed();
  const { numDeletedRows } = await deleteFrom(tx, 'oauth_clients')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertSecret(
  tx: TenantTx,
  clientId: OAuthClientId,
  { id, hash }: { readonly id: ClientSecretId; readonly hash: Buffer },
): Promise<void> {
  tx.changed();
  await tx.db
    .insertInto('oauth_client_secrets')
    .values({
      tenant_id: tx.tenantId,
      id,
      client_id: clientId,
      secret_hash: hash,
      created_at: tx.now,
    })
    .execute();
}

export async function deleteSecret(
  tx: TenantTx,
  clientId: OAuthClientId,
  id: ClientSecretId,
): Promise<boolean> {
  tx.changed();
  const { numDeletedRows } = await deleteFrom(tx, 'oauth_client_secrets')
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function presentClient(row: ClientRow): OAuthClientRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    kind: row.kind,
    first_party: row.first_party,
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    redirect_uris: row.redirect_uris,
    post_logout_redirect_uris: row.post_logout_redirect_uris,
    initiate_login_uri: row.initiate_login_uri,
    backchannel_logout_uri: row.backchannel_logout_uri,
    backchannel_logout_session_required: row.backchannel_logout_session_required,
    require_pushed_authorization_requests: row.require_pushed_authorization_requests,
    grant_types: row.grant_types,
    scopes: row.scopes,
    jwks: row.jwks,
    jwks_uri: row.jwks_uri,
    id_token_signed_response_alg: row.id_token_signed_response_alg,
    userinfo_signed_response_alg: row.userinfo_signed_response_alg,
    subject_type: row.subject_type,
    sector_identifier_uri: row.sector_identifier_uri,
    id_token_claims: row.id_token_claims,
    client_uri: row.client_uri,
    logo_uri: row.logo_uri,
    policy_uri: row.policy_uri,
    tos_uri: row.tos_uri,
    contacts: row.contacts,
    default_max_age: row.default_max_age,
    require_pkce: row.require_pkce,
    require_signed_request_object: row.require_signed_request_object,
    dpop_bound_access_tokens: row.dpop_bound_access_tokens,
    authorization_details_types: row.authorization_details_types,
    profile: row.profile,
    refresh_token_policy: row.refresh_token_policy,
    created_by: row.created_by,
    identity_assertions: row.identity_assertions,
    shared_signals: row.shared_signals,
    in_app_login: row.in_app_login,
    secrets: presentSecrets(row),
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

function presentSecrets({ tenant_id, secrets }: ClientRow): OAuthClientRecord['secrets'] {
  return secrets.map(({ id, created_at: at }) => {
    return { id, tenant_id, created_at: new Date(at).toISOString() };
  });
}

/** A client, active or inactive, with the fields that OAuth requests need. */
export interface LoadedClient extends Omit<
  OAuthClientRecord,
  'secrets' | 'created_at' | 'last_used_at'
> {
  /** Increases with each change of the client or its secrets. */
  readonly version: number;
  /** SHA-256 of each secret, in base64. */
  readonly secret_hashes: readonly string[];
}

/** The version of a client that has a document but no row. */
export const UNWRITTEN = 0;

/** The tenant and the id of a client. */
export type ClientName = readonly [TenantId, OAuthClientId];

/** Returns the clients with these IDs, in the same order. */
export async function loadClients(
  gate: Gate,
  names: readonly ClientName[],
): Promise<(LoadedClient | undefined)[]> {
  const [row] = await gate.callMany(findClients, argumentsOf(names));
  const found = row?.answer;
  return names.map((_, index) => found?.[index] ?? undefined);
}

/** Returns the current versions of the clients, in the same order; undefined for a deleted client. */
export async function findVersions(
  gate: Gate,
  names: readonly ClientName[],
): Promise<(number | undefined)[]> {
  const [row] = await gate.callMany(findClientVersions, argumentsOf(names));
  const found = row?.answer;
  return names.map((_, index) => found?.[index] ?? undefined);
}

export async function findClientWithin(
  tx: TenantTx,
  id: OAuthClientId,
): Promise<LoadedClient | undefined> {
  const [row] = await callWithin(tx, findClients, argumentsOf([[tx.tenantId, id]]));
  const [client] = row?.answer ?? [];
  return client ?? undefined;
}

function argumentsOf(names: readonly ClientName[]) {
  return { tenants: names.map(([tenantId]) => tenantId), clients: names.map(([, id]) => id) };
}

/** Records when clients were last used. */
export async function writeUses(gate: Gate, uses: readonly Use<OAuthClientId>[]): Promise<void> {
  await gate.callEach(
    touchClient,
    uses.map(({ tenantId: tenant, id: client, at: hour }) => ({ tenant, client, hour })),
  );
}

/** Locks the tenant's count of registered clients until the commit. */
export async function lockRegistrations(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`registrations of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

/** Whether the tenant has at least this many registrations that expire without a consent. */
export async function hasOpenRegistrations(tx: TenantTx, count: number): Promise<boolean> {
  const row = await from(tx, 'client_registrations')
    .select('client_id')
    .where('kept_until', 'is not', null)
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface NewRegistration {
  readonly tokenHash?: Buffer;
  readonly scopes?: readonly string[] | undefined;
  readonly redirectHosts?: readonly string[] | undefined;
  /** When the client is deleted if it has no consent; undefined: never. */
  readonly retainedUntil?: Date | undefined;
}

export async function insertRegistration(
  tx: TenantTx,
  clientId: OAuthClientId,
  { tokenHash, scopes, redirectHosts, retainedUntil }: NewRegistration,
): Promise<void> {
  await tx.db
    .insertInto('client_registrations')
    .values({
      tenant_id: tx.tenantId,
      client_id: clientId,
      token_hash: tokenHash ?? null,
      scopes: scopes ? [...scopes] : null,
      redirect_hosts: redirectHosts ? [...redirectHosts] : null,
      kept_until: retainedUntil ?? null,
    })
    .execute();
}

export function findRegistration(tx: TenantTx, clientId: OAuthClientId) {
  return from(tx, 'client_registrations')
    .select(['token_hash', 'scopes', 'redirect_hosts'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** The number of registrations that a transaction checks. */
const BATCH = 100;

/** A registration that is due for deletion. */
interface DueRegistration {
  readonly tenant_id: TenantId;
  readonly client_id: OAuthClientId;
  /** Whether the client has a consent, or has had one since `since`. */
  readonly is_used: boolean;
}

/** Locks due registrations until the commit, and skips those that another node is checking. */
export async function findDue(tx: SystemTx, now: Date, since: Date): Promise<DueRegistration[]> {
  const { rows } = await sql<DueRegistration>`
    SELECT due.tenant_id, due.client_id, EXISTS (
             SELECT FROM consents c
              WHERE c.tenant_id = due.tenant_id AND c.client_id = due.client_id
                AND (c.revoked_at IS NULL OR c.revoked_at > ${since})) AS is_used
      FROM (
        SELECT r.tenant_id, r.client_id FROM client_registrations r
         WHERE r.kept_until < ${now}
         ORDER BY r.kept_until LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ) AS due`.execute(tx.db);
  return rows;
}

/** Postpones the next check of the registrations. */
export async function postpone(
  tx: SystemTx,
  due: readonly DueRegistration[],
  until: Date,
): Promise<void> {
  if (due.length === 0) return;
  await sql`
    UPDATE client_registrations r SET kept_until = ${until}
      FROM unnest(${due.map((registration) => registration.tenant_id)}::text[], ${due.map((registration) => registration.client_id)}::text[])
           AS used (tenant_id, client_id)
     WHERE r.tenant_id = used.tenant_id AND r.client_id = used.client_id`.execute(tx.db);
}
