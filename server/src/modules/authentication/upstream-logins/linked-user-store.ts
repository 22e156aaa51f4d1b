import type { IdentityProviderId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type TenantTx, from } from '../../../tenancy/gate.ts';
import type { AccountUser, AddressUser } from './upstream-login-rules.ts';

/** The user of an identity. */
export async function findLinked(
  tx: TenantTx,
  provider: IdentityProviderId,
  subject: string,
): Promise<AccountUser | undefined> {
  const row = await from(tx, 'user_credentials as c')
    .innerJoin('users as u', (join) =>
      join.onRef('u.tenant_id', '=', 'c.tenant_id').onRef('u.id', '=', 'c.user_id'),
    )
    .select(['u.id', 'u.is_active', 'u.auth_version'])
    .where('c.type', '=', 'oauth')
    .where('c.provider', '=', provider)
    .where('c.external_id', '=', subject)
    .executeTakeFirst();
  if (!row) return undefined;
  return { id: row.id, isActive: row.is_active, authVersion: row.auth_version };
}

/** The user who has an address. */
export async function findAddressUser(
  tx: TenantTx,
  email: string,
  provider: IdentityProviderId,
): Promise<AddressUser | undefined> {
  const row = await from(tx, 'user_identifiers as i')
    .innerJoin('users as u', (join) =>
      join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'),
    )
    .select(['u.id', 'u.is_active', 'u.auth_version', 'i.verified'])
    .select([
      sql<boolean>`EXISTS (
        SELECT FROM user_identifiers o
         WHERE o.tenant_id = i.tenant_id AND o.user_id = i.user_id AND o.identifier <> i.identifier
           AND o.verified)`.as('has_others'),
      sql<boolean>`EXISTS (
        SELECT FROM user_credentials c
         WHERE c.tenant_id = i.tenant_id AND c.user_id = i.user_id AND c.type = 'oauth'
           AND c.provider = ${provider})`.as('has_identity'),
      sql<boolean>`EXISTS (
        SELECT FROM user_roles m JOIN roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
         WHERE m.tenant_id = i.tenant_id AND m.user_id = i.user_id AND r.scopes <> '{}')`.as(
        'holds_scopes',
      ),
    ])
    .where('i.identifier', '=', email)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      isActive: row.is_active,
      authVersion: row.auth_version,
      isVerified: row.verified,
      hasOthers: row.has_others,
      hasIdentity: row.has_identity,
      holdsScopes: row.holds_scopes,
    }
  );
}
