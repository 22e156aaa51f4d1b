import { newSealedKey } from '@keywright/server/modules/tokens/signing-keys/key-rotation';
import { builtinRolesOf } from '@keywright/server/modules/identity/roles/role-rules';
import type { TenantId } from '@keywright/contract/ids';
import { type MasterKeys, newDataKey } from '@keywright/server/tenancy/data-keys';
import { type Database, statement } from '@keywright/server/platform/db/database';

const TENANTS_PER_STATEMENT = 100;
/** The login limits are above the load, and the tokens of the first minute are used until the end of a run. */
const CONFIG = { login_attempts_limit: 10_000, login_attempts_window: 1, session_timeout: 86_400 };

/** Creates tenants with the API's function, many in one statement, without audit log entries. */
export async function createTenants(
  database: Database,
  masterKeys: MasterKeys,
  count: number,
): Promise<TenantId[]> {
  const tenantIds = Array.from({ length: count }, (_, n) => `org_bench-${n}` as TenantId);
  for (let from = 0; from < count; from += TENANTS_PER_STATEMENT) {
    await createBatch(database, masterKeys, tenantIds.slice(from, from + TENANTS_PER_STATEMENT));
  }
  return tenantIds;
}

async function createBatch(
  database: Database,
  masterKeys: MasterKeys,
  tenantIds: readonly TenantId[],
): Promise<void> {
  const now = new Date();
  const [masterKeyId = ''] = masterKeys.ids;
  const made = tenantIds.map((id) => {
    const dataKey = newDataKey();
    const { wrapped_key: wrapped } = masterKeys.wrap(id, dataKey, masterKeyId);
    return { id, wrapped, signingKey: newSealedKey(id, dataKey, now) };
  });
  await database.run(CREATE, [
    tenantIds,
    tenantIds.map(domainOf),
    made.map(({ wrapped }) => wrapped),
    made.map(({ signingKey }) => signingKey.id),
    made.map(({ signingKey }) => signingKey.publicKey),
    made.map(({ signingKey }) => signingKey.privateKey),
    JSON.stringify({ config: CONFIG, branding: {}, messaging: {} }),
    masterKeyId,
    JSON.stringify(builtinRolesOf(tenantIds[0] as TenantId)),
    now,
  ]);
}

function domainOf(id: TenantId): string {
  return `${id.replace('org_', '')}.example.com`;
}

const CREATE = statement(
  'bench_create_tenants',
  `SELECT kw_create_tenant('[]', t.id, t.id, $7::jsonb, t.wrapped, $8, t.kid, t.public_key, t.private_key, $9::jsonb,
                        ARRAY[t.domain], $10::timestamptz, '[]')
  FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bytea[])
    AS t (id, domain, wrapped, kid, public_key, private_key)`,
);
