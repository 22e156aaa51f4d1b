import type { ConsentId, OAuthClientId, UserId, OAuthResourceId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ConsentRecord } from '@keywright/contract/records/consent';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Whose consents, and for which application; undefined: of all. */
export interface ConsentFilter {
  readonly userId?: UserId | undefined;
  readonly clientId?: OAuthClientId | undefined;
}

/** Those that were not revoked. */
function standing(tx: TenantTx, { userId, clientId }: ConsentFilter) {
  let found = tx.db
    .selectFrom('consents as c')
    .where('c.tenant_id', '=', tx.tenantId)
    .where('c.revoked_at', 'is', null);
  if (userId !== undefined) found = found.where('c.user_id', '=', userId);
  if (clientId !== undefined) found = found.where('c.client_id', '=', clientId);
  return found;
}

/** A consent is deleted with its client. */
const clientName = sql<string>`(
  SELECT o.name FROM oauth_clients o WHERE o.tenant_id = c.tenant_id AND o.id = c.client_id)`;

/** Those that were not deleted. */
const resources = sql<ConsentRecord['resources']>`(
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'tenant_id', r.tenant_id, 'uri', r.uri, 'name', r.name,
                                             'scopes', a.scopes)
                           ORDER BY r.uri), '[]')
    FROM consent_resources a
    JOIN oauth_resources r ON r.tenant_id = a.tenant_id AND r.id = a.resource_id
   WHERE a.tenant_id = c.tenant_id AND a.consent_id = c.id)`;

function rowsOf(tx: TenantTx, filter: ConsentFilter) {
  return standing(tx, filter)
    .selectAll('c')
    .select([clientName.as('client_name'), resources.as('resources')]);
}

export type ConsentRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

/** A page, plus one row if there are more. */
export function findConsents(
  tx: TenantTx,
  filter: ConsentFilter,
  page: Page,
): Promise<ConsentRow[]> {
  return pageOf(rowsOf(tx, filter), page).execute();
}

export function countConsents(tx: TenantTx, filter: ConsentFilter): Promise<number> {
  return countSome(tx, standing(tx, filter).select('c.id'));
}

/** The client cannot be deleted until the commit. @returns whether there is one */
export async function holdClient(tx: TenantTx, id: OAuthClientId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('oauth_clients')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose it is; undefined unless it stands. */
export async function findOwner(tx: TenantTx, id: ConsentId): Promise<UserId | undefined> {
  const row = await standing(tx, {}).select('c.user_id').where('c.id', '=', id).executeTakeFirst();
  return row?.user_id;
}

/** The same, locked until the commit. */
export function lockConsent(tx: TenantTx, id: ConsentId) {
  return tx.db
    .selectFrom('consents')
    .select(['id', 'user_id', 'client_id'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function markRevoked(tx: TenantTx, id: ConsentId): Promise<void> {
  await tx.db
    .updateTable('consents')
    .set((row) => ({
      revoked_at: tx.now,
      version: row('version', '+', 1),
      authorization_details: '[]',
    }))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** What was allowed in particular, in place of what was allowed so before. */
export async function noteDetails(
  tx: TenantTx,
  id: ConsentId,
  details: readonly AuthorizationDetail[],
): Promise<void> {
  await tx.db
    .updateTable('consents')
    .set({ authorization_details: JSON.stringify(details) })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** What a user allows an application now. */
export interface StandingConsent {
  readonly id: ConsentId;
  readonly version: number;
  readonly scopes: readonly string[];
  /** Where the user has agreed that codes are sent. */
  readonly redirect_origins: readonly string[];
}

export function findConsentOf(
  tx: TenantTx,
  userId: UserId,
  clientId: OAuthClientId,
): Promise<StandingConsent | undefined> {
  return standing(tx, { userId, clientId })
    .select(['c.id', 'c.version', 'c.scopes', 'c.redirect_origins'])
    .executeTakeFirst();
}

interface NewConsent {
  readonly id: ConsentId;
  readonly userId: UserId;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly redirectOrigins: readonly string[];
}

/** A consent that would cover more covers the latest one only: each authorization reads them all. */
const MOST_ORIGINS = 20;

/** Of two at once, both are in the result. After a revocation only what is new counts. */
export async function putConsent(tx: TenantTx, consent: NewConsent): Promise<StandingConsent> {
  const { rows } = await sql<StandingConsent>`
    INSERT INTO consents AS c (tenant_id, id, user_id, client_id, scopes, redirect_origins, created_at, updated_at)
    VALUES (${tx.tenantId}, ${consent.id}, ${consent.userId}, ${consent.clientId}, ${[...consent.scopes]},
            ${[...consent.redirectOrigins]}, ${tx.now}, ${tx.now})
    ON CONFLICT (tenant_id, user_id, client_id) DO UPDATE SET
      scopes = CASE
        WHEN c.revoked_at IS NOT NULL THEN excluded.scopes
        ELSE ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)
      END,
      redirect_origins = CASE
        WHEN c.revoked_at IS NOT NULL THEN excluded.redirect_origins
        ELSE (
          SELECT CASE WHEN count(*) > ${MOST_ORIGINS} THEN excluded.redirect_origins
                      ELSE coalesce(array_agg(known.origin ORDER BY known.origin), '{}') END
            FROM (SELECT DISTINCT unnest(c.redirect_origins || excluded.redirect_origins)) AS known (origin))
      END,
      created_at = CASE WHEN c.revoked_at IS NOT NULL THEN excluded.created_at ELSE c.created_at END,
      updated_at = excluded.updated_at, revoked_at = NULL
    RETURNING c.id, c.version, c.scopes, c.redirect_origins`.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error(`The consent to ${consent.clientId} was not written.`);
  return row;
}

/** What a user allows an application at a resource. */
export interface AllowedAt {
  readonly resourceId: OAuthResourceId;
  readonly scopes: readonly string[];
}

export async function findAllowedAt(tx: TenantTx, id: ConsentId): Promise<AllowedAt[]> {
  const rows = await tx.db
    .selectFrom('consent_resources')
    .select(['resource_id', 'scopes'])
    .where('tenant_id', '=', tx.tenantId)
    .where('consent_id', '=', id)
    .execute();
  return rows.map(({ resource_id: resourceId, scopes }) => ({ resourceId, scopes }));
}

/** Of two at once, both are in the result. */
export async function allowAt(
  tx: TenantTx,
  id: ConsentId,
  { resourceId, scopes }: AllowedAt,
): Promise<void> {
  await sql`
    INSERT INTO consent_resources AS c (tenant_id, consent_id, resource_id, scopes)
    VALUES (${tx.tenantId}, ${id}, ${resourceId}, ${[...scopes]})
    ON CONFLICT (tenant_id, consent_id, resource_id) DO UPDATE
      SET scopes = ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)`.execute(
    tx.db,
  );
}

/** Of a consent that is revoked: if it is given again, only what is new counts. */
export async function forgetAllowedAt(tx: TenantTx, id: ConsentId): Promise<void> {
  await tx.db
    .deleteFrom('consent_resources')
    .where('tenant_id', '=', tx.tenantId)
    .where('consent_id', '=', id)
    .execute();
}
