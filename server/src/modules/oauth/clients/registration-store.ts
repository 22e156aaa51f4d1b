import type { OAuthClientId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Until the commit, nobody else registers a client of anybody: their number stays the same. */
export async function lockRegistrations(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`registrations of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

/** Whether there are this many that nobody vouches for. */
export async function hasOpenRegistrations(tx: TenantTx, count: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('client_registrations')
    .select('client_id')
    .where('tenant_id', '=', tx.tenantId)
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
  /** When it is deleted without a consent; undefined: not at all. */
  readonly keptUntil?: Date | undefined;
}

export async function insertRegistration(
  tx: TenantTx,
  clientId: OAuthClientId,
  { tokenHash, scopes, redirectHosts, keptUntil }: NewRegistration,
): Promise<void> {
  await tx.db
    .insertInto('client_registrations')
    .values({
      tenant_id: tx.tenantId,
      client_id: clientId,
      token_hash: tokenHash ?? null,
      scopes: scopes ? [...scopes] : null,
      redirect_hosts: redirectHosts ? [...redirectHosts] : null,
      kept_until: keptUntil ?? null,
    })
    .execute();
}

export function findRegistration(tx: TenantTx, clientId: OAuthClientId) {
  return tx.db
    .selectFrom('client_registrations')
    .select(['token_hash', 'scopes', 'redirect_hosts'])
    .where('tenant_id', '=', tx.tenantId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}
