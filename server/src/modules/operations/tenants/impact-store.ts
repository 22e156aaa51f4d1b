import type { TenantConfig, TenantRecord } from '@keywright/contract/records/tenant';
import { missingScopes } from '@keywright/contract/scopes';
import { sql } from 'kysely';
import { offersPasskeys, relyingPartyOf, sendsSms } from '../../../tenancy/tenant.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { acceptedNames, findRole } from '../../identity/users/index.ts';

/** Numbers of active users. */
export interface TenantCounts {
  readonly users: number;
  readonly withPassword: number;
  /** Users who are logged in. */
  readonly withSession: number;
  /** Users who would need a second factor. */
  readonly withoutFactor: number;
  /** Users who are logged in without the second factor that they would need. */
  readonly withWeakSession: number;
  /** Users without a verified identifier. */
  readonly withoutVerified: number;
  /** Users without a verified identifier who also have no identifier to which a message can be sent. */
  readonly withoutAddress: number;
  /** Users without a verified identifier who are logged in. */
  readonly withUnverifiedSession: number;
  /**
   * Users who have a password, an email address, a verified phone number, a passkey or an identity at a provider, but
   * no method that would be accepted.
   */
  readonly withoutMethod: number;
  /** Users who are logged in with a method that would no longer be accepted. */
  readonly withOtherSession: number;
}

/** Counts the users of a tenant, and those that these settings affect. */
export async function countAffected(
  tx: TenantTx,
  tenantAfter: Pick<TenantRecord, 'config' | 'issuer'>,
  now: Date,
): Promise<TenantCounts> {
  const { tenantId: tenant } = tx;
  const { config: after } = tenantAfter;
  // An empty domain matches no passkey.
  const domain = (offersPasskeys(tenantAfter) && relyingPartyOf(tenantAfter)?.id) || '';
  const withSession = sql`SELECT count(DISTINCT user_id)::integer FROM sessions
    WHERE tenant_id = ${tenant} AND is_active AND expires_at > ${now}`;
  const unverified = sql`SELECT count(*)::integer FROM users u
    WHERE u.tenant_id = ${tenant} AND u.is_active AND NOT ${HAS_VERIFIED}`;
  const { rows } = await sql<TenantCounts>`
    SELECT
      (SELECT count(*)::integer FROM users WHERE tenant_id = ${tenant} AND is_active) AS users,
      (SELECT count(*)::integer FROM users u
        WHERE u.tenant_id = ${tenant} AND u.is_active AND ${HAS_PASSWORD}) AS "withPassword",
      (${withSession}) AS "withSession",
      (SELECT count(*)::integer FROM users u
        WHERE u.tenant_id = ${tenant} AND u.is_active AND ${lacksFactor(after)}) AS "withoutFactor",
      (${withSession} AND acr = 'aal1') AS "withWeakSession",
      (${unverified}) AS "withoutVerified",
      (${unverified} AND NOT ${HAS_ADDRESS} AND NOT (${sendsSms(after)} AND ${HAS_NUMBER})) AS "withoutAddress",
      (${unverified} AND u.id IN (
        SELECT user_id FROM sessions
         WHERE tenant_id = ${tenant} AND is_active AND expires_at > ${now})) AS "withUnverifiedSession",
      (SELECT count(*)::integer FROM users u
        WHERE u.tenant_id = ${tenant} AND u.is_active AND (${HAS_PASSWORD} OR ${HAS_ADDRESS} OR (${sendsSms(after)} AND ${HAS_PHONE}) OR ${HAS_PASSKEY} OR ${HAS_IDENTITY})
          AND NOT (${after.allowed_login_methods.includes('password')} AND ${HAS_PASSWORD})
          AND NOT (${after.allowed_login_methods.includes('magic_link')} AND ${HAS_ADDRESS})
          AND NOT (${after.allowed_login_methods.includes('magic_link') && sendsSms(after)} AND ${HAS_PHONE})
          AND NOT (${after.allowed_login_methods.includes('oauth')} AND ${HAS_IDENTITY})
          AND NOT EXISTS (SELECT FROM user_factors k
            WHERE k.tenant_id = u.tenant_id AND k.user_id = u.id AND k.rp_id = ${domain}))
        AS "withoutMethod",
      (${withSession} AND NOT amr && ${acceptedNames(after)}) AS "withOtherSession"`.execute(tx.db);
  const [ofTenant] = rows;
  if (!ofTenant) throw new Error('A statement without FROM has one row.');
  return after.require_mfa ? ofTenant : { ...ofTenant, ...(await countHolders(tx, after, now)) };
}

const HAS_PASSWORD = sql`EXISTS (SELECT FROM user_credentials c
  WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.type = 'password')`;
const HAS_PASSKEY = sql`EXISTS (SELECT FROM user_factors k
  WHERE k.tenant_id = u.tenant_id AND k.user_id = u.id AND k.type = 'passkey')`;
const HAS_IDENTITY = sql`EXISTS (SELECT FROM user_credentials c
  JOIN identity_providers p ON p.tenant_id = c.tenant_id AND p.id = c.provider
  WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND p.is_active)`;
const HAS_ADDRESS = sql`EXISTS (SELECT FROM user_identifiers i
  WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.type = 'email')`;
const HAS_NUMBER = sql`EXISTS (SELECT FROM user_identifiers i
  WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.type = 'phone')`;
/** Logins by SMS require a verified number. */
const HAS_PHONE = sql`EXISTS (SELECT FROM user_identifiers i
  WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.type = 'phone' AND i.verified)`;
const HAS_MAILBOX = sql`EXISTS (SELECT FROM user_identifiers i
  WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.type = 'email' AND i.verified)`;
const HAS_VERIFIED = sql`EXISTS (SELECT FROM user_identifiers i
  WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.verified)`;

/** Users with neither a second factor nor an identifier to which codes can be sent as one. */
function lacksFactor(after: TenantConfig) {
  const factors = after.mfa_methods;
  return sql`(NOT u.has_second_factor
    AND NOT (${factors.includes('sms') && sendsSms(after)} AND ${HAS_PHONE})
    AND NOT (${factors.includes('email')} AND ${HAS_MAILBOX}))`;
}

type HolderCounts = Pick<TenantCounts, 'withoutFactor' | 'withWeakSession'>;

/**
 * Counts the affected users among those who hold every scope of `require_mfa_role`; undefined if this includes all
 * users.
 */
async function countHolders(
  tx: TenantTx,
  after: TenantConfig,
  now: Date,
): Promise<HolderCounts | undefined> {
  const { require_mfa_role: role } = after;
  if (role === null) return undefined;
  const { scopes: required = [] } = (await findRole(tx, role)) ?? {};
  if (required.length === 0) return undefined;
  const { tenantId: tenant } = tx;
  // Most users of a large tenant hold no scope, so their roles are not examined individually.
  const { rows } = await sql<HolderCounts & { readonly scopes: string[] }>`
    SELECT may.scopes,
           (count(*) FILTER (WHERE ${lacksFactor(after)}))::integer AS "withoutFactor",
           (count(*) FILTER (WHERE EXISTS (
             SELECT FROM sessions s
              WHERE s.tenant_id = ${tenant} AND s.user_id = u.id AND s.is_active
                AND s.expires_at > ${now} AND s.acr = 'aal1')))::integer AS "withWeakSession"
      FROM users u
     CROSS JOIN LATERAL kw_permissions_of(${tenant}, u.id) AS may
     WHERE u.tenant_id = ${tenant} AND u.is_active AND u.id IN (
       SELECT held.user_id FROM user_roles held
         JOIN roles r ON r.tenant_id = held.tenant_id AND r.name = held.role
        WHERE held.tenant_id = ${tenant} AND cardinality(r.scopes) > 0)
     GROUP BY may.scopes`.execute(tx.db);
  const holders = rows.filter(({ scopes }) => missingScopes(scopes, required).length === 0);
  const sum = (name: keyof HolderCounts) => holders.reduce((total, row) => total + row[name], 0);
  return { withoutFactor: sum('withoutFactor'), withWeakSession: sum('withWeakSession') };
}
