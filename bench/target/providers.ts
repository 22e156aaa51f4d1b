import { randomBytes } from 'node:crypto';
import type { IdentityProviderId, TenantId } from '@keywright/contract/ids';
import {
  flowTokenHash,
  newFlowToken,
} from '@keywright/server/modules/authentication/flows/known-devices';
import {
  settingsOf,
  sealClientSecret,
} from '@keywright/server/modules/authentication/identity-providers/provider-settings';
import { newIdentityProviderId, newLoginFlowId } from '@keywright/server/platform/crypto/ids';
import type { MasterKeys } from '@keywright/server/tenancy/data-keys';
import { httpRequest } from '../measure/traffic.ts';
import { API, type Scene, tenantHeaders } from '../rows/row.ts';
import { masterKeysOf } from './flows.ts';
import type { Person } from './seed.ts';
import type { Upstream } from './upstream.ts';

const RETURN_URL = 'https://app.example.com/returned';
/** A flow can start twenty logins at a provider. */
const FLOWS_EACH = 4;
/** Longer than the API allows: the rows about many tenants take longer than fifteen minutes. */
const FLOW_MS = 86_400_000;

type Query = Scene['query'];

/** A provider for each of these tenants, with its own issuer and secret. */
export async function insertProviders(
  { query, env }: Pick<Scene, 'query' | 'env'>,
  tenantIds: readonly TenantId[],
  upstream: Upstream,
): Promise<IdentityProviderId[]> {
  const now = new Date();
  const dataKeys = await dataKeysOf(query, masterKeysOf({ env }));
  const ids = tenantIds.map(() => newIdentityProviderId(now));
  await query(
    `WITH new AS (
       INSERT INTO identity_providers (tenant_id, id, type, name, client_id, client_secret, settings, is_active, created_at)
       SELECT p.tenant, p.id, 'oidc', 'Corporate', 'keywright', p.secret, p.settings::jsonb, true, $1
         FROM unnest($2::text[], $3::text[], $4::bytea[], $5::text[]) AS p (tenant, id, secret, settings)
       RETURNING tenant_id, id
     )
     UPDATE tenants t
        SET identity_providers = jsonb_build_array(
              jsonb_build_object('id', new.id, 'type', 'oidc', 'name', 'Corporate')),
            config = config || jsonb_build_object('return_urls', jsonb_build_array($6::text))
       FROM new WHERE new.tenant_id = t.tenant_id`,
    [
      now,
      tenantIds,
      ids,
      tenantIds.map((tenantId, index) => {
        const id = ids[index] as IdentityProviderId;
        const key = dataKeys.get(tenantId) as Buffer;
        return sealClientSecret(key, { tenantId, id }, randomBytes(24).toString('base64url'));
      }),
      tenantIds.map((name) =>
        JSON.stringify(settingsOf('oidc', { issuer: upstream.issuerOf(name) })),
      ),
      RETURN_URL,
    ],
  );
  return ids;
}

async function dataKeysOf(query: Query, masterKeys: MasterKeys): Promise<Map<TenantId, Buffer>> {
  type Row = Parameters<MasterKeys['unwrap']>[1] & { readonly tenant_id: TenantId };
  const rows = await query<Row>(
    'SELECT tenant_id, wrapped_key, master_key_id FROM tenant_data_keys',
  );
  return new Map(rows.map((row) => [row.tenant_id, masterKeys.unwrap(row.tenant_id, row)]));
}

/** A user who logs in at the identity provider of their tenant. */
interface AtProvider {
  readonly person: Person;
  readonly provider: IdentityProviderId;
}

/** Requests that start a login at a provider, several for each of these users, in flows that are already open. */
export async function insertProviderLogins(
  query: Query,
  people: readonly AtProvider[],
): Promise<string[]> {
  const now = new Date();
  const flows = Array.from({ length: FLOWS_EACH }, () => people)
    .flat()
    .map(({ person, provider }) => {
      return { person, provider, id: newLoginFlowId(now), token: newFlowToken() };
    });
  await query(
    `INSERT INTO login_flows (tenant_id, id, purpose, token_hash, identifier, proofs, created_at, expires_at)
     SELECT f.tenant, f.id, 'login', f.hash, f.identifier, '[]', $1, $2
       FROM unnest($3::text[], $4::text[], $5::bytea[], $6::text[]) AS f (tenant, id, hash, identifier)`,
    [
      now,
      new Date(now.getTime() + FLOW_MS),
      flows.map(({ person }) => person.tenantId),
      flows.map(({ id }) => id),
      flows.map(({ token }) => flowTokenHash(token)),
      flows.map(({ person }) => person.identifier),
    ],
  );
  return flows.map(({ person, provider, id, token }) =>
    httpRequest('POST', `${API}/auth/flows/${id}/oauth`, tenantHeaders(person.tenantId), {
      flow_token: token,
      provider,
      return_url: RETURN_URL,
    }),
  );
}
