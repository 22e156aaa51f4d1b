import { ID_PREFIX } from '@keywright/contract/ids';
import type { RecordName } from '@keywright/contract/records/record-name';
import { missingScopes } from '@keywright/contract/scopes';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

interface Kind {
  readonly prefix: string;
  readonly scope: string;
  readonly table: string;
  /** SQL of the name, in a row `r`. */
  readonly name: string;
}

const kind = (prefix: string, scope: string, table: string, name = 'r.name'): Kind => ({
  prefix,
  scope,
  table,
  name,
});

const NAME_OF_USER = `coalesce(r.name, (
  SELECT i.identifier FROM user_identifiers i
   WHERE i.tenant_id = r.tenant_id AND i.user_id = r.id ORDER BY i.position LIMIT 1), r.id)`;

/** The records with a name, and the scope that reads it. */
const KINDS: readonly Kind[] = [
  kind(ID_PREFIX.user, 'read:users', 'users', NAME_OF_USER),
  kind(ID_PREFIX.invitation, 'read:users', 'invitations', 'r.identifier'),
  kind(ID_PREFIX.agent, 'read:agents', 'agents'),
  kind(ID_PREFIX.apiKey, 'read:apikeys', 'api_keys'),
  kind(ID_PREFIX.oauthClient, 'read:clients', 'oauth_clients'),
  kind(ID_PREFIX.oauthResource, 'read:clients', 'oauth_resources'),
  kind(ID_PREFIX.identityProvider, 'read:tenant', 'identity_providers'),
  kind(
    ID_PREFIX.webhook,
    'read:webhooks',
    'webhooks',
    "substring(r.url FROM '^[a-z]+://([^/?#]+)')",
  ),
  kind('ws_', 'read:workspaces', 'workspaces'),
];

/** The names of these records, of the kinds that the scopes can read. */
export async function findNames(
  tx: TenantTx,
  ids: readonly string[],
  scopes: readonly string[],
): Promise<RecordName[]> {
  const parts = KINDS.flatMap(({ prefix, scope, table, name }) => {
    const ofKind = ids.filter((id) => id.startsWith(prefix));
    if (ofKind.length === 0 || missingScopes(scopes, [scope]).length > 0) return [];
    return sql`
      SELECT r.id, r.tenant_id, ${sql.raw(name)} AS name FROM ${sql.table(table)} r
       WHERE r.tenant_id = ${tx.tenantId} AND r.id = ANY (${ofKind}::text[])`;
  });
  if (parts.length === 0) return [];
  const { rows } = await sql<RecordName>`${sql.join(parts, sql` UNION ALL `)}`.execute(tx.db);
  return rows;
}
