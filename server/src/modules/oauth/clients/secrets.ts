import type { Fail } from '@keywright/contract/errors';
import {
  type ClientSecretId,
  type OAuthClientId,
  parseClientSecretId,
} from '@keywright/contract/ids';
import type { CreatedClientSecret } from '@keywright/contract/records/oauth-client';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireMayChangeLogins } from '../../identity/roles/index.ts';
import { presentClient } from './present.ts';
import { hasSecrets, isTrusted } from './rules.ts';
import { newSecret } from './secret.ts';
import { type Request, requireClient } from './service.ts';
import { deleteSecret, insertSecret } from './store.ts';

/** Two during a rotation. */
const MOST_SECRETS = 2;

/** A further secret, beside the present one. */
export async function addSecret(
  tenant: TenantData,
  of: Tenant,
  { caller, now, repeatable }: Request,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'TOO_MANY_CLIENT_SECRETS' | 'CLIENT_HAS_NO_SECRET'>,
): Promise<CreatedClientSecret> {
  const secret = newSecret(now);
  const made = await once(tenant, repeatable, async (tx) => {
    const client = await requireClient(tx, caller, id, fail);
    const shown = presentClient(client);
    if (isTrusted(shown)) await requireMayChangeLogins(tx, of, caller, fail);
    if (!hasSecrets(shown.token_endpoint_auth_method)) fail('CLIENT_HAS_NO_SECRET');
    if (client.secrets.length >= MOST_SECRETS) fail('TOO_MANY_CLIENT_SECRETS');
    await insertSecret(tx, client.id, secret);
    await recordSecret(tx, caller, 'client.secret_created', client.id, secret.id);
    const created_at = tx.now.toISOString();
    return { id: secret.id, tenant_id: tx.tenantId, client_id: client.id, created_at };
  });
  return made.id === secret.id ? { ...made, client_secret: secret.text } : made;
}

export function removeSecret(
  tenant: TenantData,
  caller: Caller,
  { client_id: id, secret_id: secretText }: { client_id: string; secret_id: string },
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ClientSecretId> {
  return tenant.transaction(async (tx) => {
    const client = await requireClient(tx, caller, id, fail);
    const secretId = parseClientSecretId(secretText) ?? fail('NOT_FOUND');
    if (!(await deleteSecret(tx, client.id, secretId))) fail('NOT_FOUND');
    await recordSecret(tx, caller, 'client.secret_deleted', client.id, secretId);
    return secretId;
  });
}

function recordSecret(
  tx: TenantTx,
  caller: Caller,
  action: 'client.secret_created' | 'client.secret_deleted',
  id: OAuthClientId,
  secretId: ClientSecretId,
): Promise<void> {
  const details = { secret_id: secretId };
  return record(tx, caller, { action, target: { kind: 'client', id }, details, events: [] });
}
