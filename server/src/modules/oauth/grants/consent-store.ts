import type { ConsentId, OAuthClientId, OAuthResourceId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ConsentRecord } from '@keywright/contract/records/consent';
import { sql } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';

/** The user and the client of the consents; undefined: any. */
export interface ConsentFilter {
  readonly userId?: UserId | undefined;
  readonly clientId?: OAuthClientId | undefined;
}

/** Queries the consents that are not revoked. */
function standingConsents(tx: TenantTx, { userId, clientId }: ConsentFilter) {
  let query = from(tx, 'consents as c').where('c.revoked_at', 'is', null);
  if (userId !== undefined) query = query.where('c.user_id', '=', userId);
  if (clientId !== undefined) query = query.where('c.client_id', '=', clientId);
  return query;
}

/** Never null, because a consent is deleted with its client. */
const clientName = sql<string>`(
  SELECT o.name FROM oauth_clients o WHERE o.tenant_id = c.tenant_id AND o.id = c.client_id)`;

/** Excludes deleted resources. */
const resources = sql<ConsentRecord['resources']>`(
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'tenant_id', r.tenant_id, 'uri', r.uri, 'name', r.name,
                                             'scopes', a.scopes)
                           ORDER BY r.uri), '[]')
    FROM consent_resources a
    JOIN oauth_resources r ON r.tenant_id = a.tenant_id AND r.id = a.resource_id
   WHERE a.tenant_id = c.tenant_id AND a.consent_id = c.id)`;

function consentRows(tx: TenantTx, filter: ConsentFilter) {
  return standingConsents(tx, filter)
    .selectAll('c')
    .select([clientName.as('client_name'), resources.as('resources')]);
}

export type ConsentRow = Awaited<ReturnType<ReturnType<typeof consentRows>['execute']>>[number];

/** Returns a page, plus one row if there are more. */
export function findConsents(
  tx: TenantTx,
  filter: ConsentFilter,
  page: Page,
): Promise<ConsentRow[]> {
  return pageOf(consentRows(tx, filter), page).execute();
}

export function countConsents(tx: TenantTx, filter: ConsentFilter): Promise<number> {
  return countUpToLimit(tx, standingConsents(tx, filter).select('c.id'));
}

/** @returns undefined if the consent does not exist or is revoked */
export async function findConsentUser(tx: TenantTx, id: ConsentId): Promise<UserId | undefined> {
  const row = await standingConsents(tx, {})
    .select('c.user_id')
    .where('c.id', '=', id)
    .executeTakeFirst();
  return row?.user_id;
}

/** Locks a consent until the commit. @returns undefined if it does not exist or is revoked */
export function lockConsent(tx: TenantTx, id: ConsentId) {
  return from(tx, 'consents')
    .select(['id', 'user_id', 'client_id'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function markRevoked(tx: TenantTx, id: ConsentId): Promise<void> {
  await update(tx, 'consents')
    .set((row) => ({
      revoked_at: tx.now,
      version: row('version', '+', 1),
      authorization_details: '[]',
    }))
    .where('id', '=', id)
    .execute();
}

/** Replaces the authorization details of a consent. */
export async function setConsentDetails(
  tx: TenantTx,
  id: ConsentId,
  details: readonly AuthorizationDetail[],
): Promise<void> {
  await update(tx, 'consents')
    .set({ authorization_details: JSON.stringify(details) })
    .where('id', '=', id)
    .execute();
}

/** A consent that is not revoked. */
export interface StandingConsent {
  readonly id: ConsentId;
  readonly version: number;
  readonly scopes: readonly string[];
  /** The origins to which codes can be sent with the user's consent. */
  readonly redirect_origins: readonly string[];
}

export function findConsentOf(
  tx: TenantTx,
  userId: UserId,
  clientId: OAuthClientId,
): Promise<StandingConsent | undefined> {
  return standingConsents(tx, { userId, clientId })
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

/** A consent with more origins is reduced to the latest one, since each authorization reads all of them. */
const MOST_ORIGINS = 20;

/**
 * Inserts a consent, or extends the existing consent of this user to this client. The result includes concurrent
 * grants. After a revocation, only the new grant counts.
 */
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
                      ELSE coalesce(array_agg(seen.origin ORDER BY seen.origin), '{}') END
            FROM (SELECT DISTINCT unnest(c.redirect_origins || excluded.redirect_origins)) AS seen (origin))
      END,
      created_at = CASE WHEN c.revoked_at IS NOT NULL THEN excluded.created_at ELSE c.created_at END,
      updated_at = excluded.updated_at, revoked_at = NULL
    RETURNING c.id, c.version, c.scopes, c.redirect_origins`.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error(`The consent to ${consent.clientId} was not written.`);
  return row;
}

/** The scopes that a user grants a client at a resource. */
export interface ConsentedResource {
  readonly resourceId: OAuthResourceId;
  readonly scopes: readonly string[];
}

export async function findConsentedResources(
  tx: TenantTx,
  id: ConsentId,
): Promise<ConsentedResource[]> {
  const rows = await from(tx, 'consent_resources')
    .select(['resource_id', 'scopes'])
    .where('consent_id', '=', id)
    .execute();
  return rows.map(({ resource_id: resourceId, scopes }) => ({ resourceId, scopes }));
}

/** Adds scopes at a resource to a consent. The result includes concurrent grants. */
export async function addResourceScopes(
  tx: TenantTx,
  id: ConsentId,
  { resourceId, scopes }: ConsentedResource,
): Promise<void> {
  await sql`
    INSERT INTO consent_resources AS c (tenant_id, consent_id, resource_id, scopes)
    VALUES (${tx.tenantId}, ${id}, ${resourceId}, ${[...scopes]})
    ON CONFLICT (tenant_id, consent_id, resource_id) DO UPDATE
      SET scopes = ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)`.execute(
    tx.db,
  );
}

/** Deletes the scopes on a revocation, so that only the new grant counts if the user consents again. */
export async function deleteResourceScopes(tx: TenantTx, id: ConsentId): Promise<void> {
  await deleteFrom(tx, 'consent_resources').where('consent_id', '=', id).execute();
}
