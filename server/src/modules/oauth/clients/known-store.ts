import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { findClients } from '../../../../sql/oauth/kw_find_clients.ts';
import { findClientVersions } from '../../../../sql/oauth/kw_find_client_versions.ts';
import { batched } from '../../../platform/db/batch.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';

/** A client, active or not, as requests of applications need it. */
export interface KnownClient extends Omit<
  OAuthClientRecord,
  'secrets' | 'created_at' | 'last_used_at'
> {
  /** Another one after each change of the client or of its secrets. */
  readonly version: number;
  /** SHA-256 of each of its secrets, in base64. */
  readonly secret_hashes: readonly string[];
}

/** The version of a client that only its document knows of. */
export const UNWRITTEN = 0;

type Named = readonly [TenantId, OAuthClientId];

/** Queried each time, concurrent requests together. */
export function createFindClients(gate: Gate): (one: Named) => Promise<KnownClient | undefined> {
  const find = async (asked: readonly Named[]) => {
    const [row] = await gate.callMany(findClients, argumentsOf(asked));
    const found = row?.answer as (KnownClient | null)[] | undefined;
    return asked.map((_, index) => found?.[index] ?? undefined);
  };
  return batched(find, { size: 64, flights: 1 });
}

/** The version of a client now, undefined if it is gone. Concurrent requests together. */
export function createFindVersions(gate: Gate): (one: Named) => Promise<number | undefined> {
  const find = async (asked: readonly Named[]) => {
    const [row] = await gate.callMany(findClientVersions, argumentsOf(asked));
    const found = row?.answer as (number | null)[] | undefined;
    return asked.map((_, index) => found?.[index] ?? undefined);
  };
  return batched(find, { size: 64, flights: 1 });
}

export async function findClientWithin(
  tx: TenantTx,
  id: OAuthClientId,
): Promise<KnownClient | undefined> {
  const [row] = await callWithin(tx, findClients, argumentsOf([[tx.tenantId, id]]));
  const [client] = (row?.answer ?? []) as unknown as (KnownClient | null)[];
  return client ?? undefined;
}

function argumentsOf(asked: readonly Named[]) {
  return { tenants: asked.map(([tenantId]) => tenantId), clients: asked.map(([, id]) => id) };
}
