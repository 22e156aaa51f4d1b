import type { ClientSecretId, OAuthClientId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { ClientFields } from './fields.ts';

const secrets = sql<{ id: ClientSecretId; created_at: string }[]>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'created_at', s.created_at)
                            ORDER BY s.created_at, s.id), '[]')
    FROM oauth_client_secrets s WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id)`;

function clients(tx: TenantTx) {
  return tx.db.selectFrom('oauth_clients as c').where('c.tenant_id', '=', tx.tenantId);
}

export function findClient(tx: TenantTx, id: OAuthClientId) {
  return clients(tx)
    .selectAll()
    .select(secrets.as('secrets'))
    .where('c.id', '=', id)
    .executeTakeFirst();
}

export type ClientRow = NonNullable<Awaited<ReturnType<typeof findClient>>>;

/** Locked until the commit. */
export function lockClient(tx: TenantTx, id: OAuthClientId): Promise<ClientRow | undefined> {
  return clients(tx)
    .selectAll()
    .select(secrets.as('secrets'))
    .where('c.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** A page, plus one row if there are more. */
export function findClientPage(tx: TenantTx, page: Page): Promise<ClientRow[]> {
  return pageOf(clients(tx).selectAll().select(secrets.as('secrets')), page).execute();
}

export function countClients(tx: TenantTx): Promise<number> {
  return countSome(tx, clients(tx).select('c.id'));
}

/** Whether there are this many. */
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
  await tx.db
    .updateTable('oauth_clients')
    .set(columnsOf(fields))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

function columnsOf(fields: ClientFields) {
  const { jwks, identity_assertions: assertions, ...columns } = fields;
  return {
    ...columns,
    jwks: jwks && JSON.stringify(jwks),
    identity_assertions: JSON.stringify(assertions),
  };
}

/** With its secrets. */
export async function deleteClientRow(tx: TenantTx, id: OAuthClientId): Promise<boolean> {
  tx.changed();
  const { numDeletedRows } = await tx.db
    .deleteFrom('oauth_clients')
    .where('tenant_id', '=', tx.tenantId)
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
  const { numDeletedRows } = await tx.db
    .deleteFrom('oauth_client_secrets')
    .where('tenant_id', '=', tx.tenantId)
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
