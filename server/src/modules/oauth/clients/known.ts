import { timingSafeEqual } from 'node:crypto';
import { parseOAuthClientId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { presentClient } from './present.ts';
import { findClient, findSecretHashes } from './store.ts';

/** The client that a request names, active or not. */
export function findNamedClient(
  tenant: TenantData,
  named: string,
): Promise<OAuthClientRecord | undefined> {
  return tenant.transaction((tx) => findNamed(tx, named));
}

export async function findNamed(
  tx: TenantTx,
  named: string,
): Promise<OAuthClientRecord | undefined> {
  const id = parseOAuthClientId(named);
  const row = id && (await findClient(tx, id));
  return row && presentClient(row);
}

/** The client that has this id and this secret. One that is unknown takes as long as a wrong secret. */
export function findClientBySecret(
  tenant: TenantData,
  named: string,
  secret: string,
): Promise<OAuthClientRecord | undefined> {
  return tenant.transaction(async (tx) => {
    const client = await findNamed(tx, named);
    const presented = sha256(secret);
    const hashes = client ? await findSecretHashes(tx, client.id) : [];
    const isRight = hashes.filter((hash) => timingSafeEqual(hash, presented)).length > 0;
    return isRight ? client : undefined;
  });
}
