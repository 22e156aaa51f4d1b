import { timingSafeEqual } from 'node:crypto';
import { type OAuthClientId, parseOAuthClientId, type TenantId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type Found, TenantCache } from '../../../tenancy/tenant-cache.ts';
import {
  createFindClients,
  createFindVersions,
  findClientWithin,
  type KnownClient,
} from './known-store.ts';

/** The clients that requests name. */
export interface Clients {
  /**
   * As this node knows it, which may be an earlier version. Whatever opens a session with it, or sends a code to it,
   * compares the version in its statement, and calls `forget` where there is another.
   */
  known(tenantId: TenantId, named: string): Found<KnownClient> | undefined;
  /** Whether it is as it was, asked of the database. */
  isCurrent(client: KnownClient): Promise<boolean>;
  /** As it is now. */
  find(tenantId: TenantId, named: string): Promise<KnownClient | undefined>;
  /** The notification of a change has not arrived yet. */
  forget(tenantId: TenantId): void;
}

export function createClients(gate: Gate, changes: Changes): Clients {
  const load = createFindClients(gate);
  const findVersion = createFindVersions(gate);
  const cache = new TenantCache<ClientKey, KnownClient>(changes, {
    load: (key) => load(key.split(' ') as [TenantId, OAuthClientId]),
    tenantOf: (client) => client.tenant_id,
  });
  return {
    known(tenantId, named) {
      const id = parseOAuthClientId(named);
      return id && cache.find(`${tenantId} ${id}`);
    },
    async isCurrent({ tenant_id: tenantId, id, version }) {
      return (await findVersion([tenantId, id])) === version;
    },
    async find(tenantId, named) {
      const id = parseOAuthClientId(named);
      return id && load([tenantId, id]);
    },
    forget: changes.forget,
  };
}

type ClientKey = `${TenantId} ${OAuthClientId}`;

/** As it is now, in a transaction. */
export async function findClientIn(tx: TenantTx, named: string): Promise<KnownClient | undefined> {
  const id = parseOAuthClientId(named);
  return id && findClientWithin(tx, id);
}

/** A client that is unknown takes as long as a wrong secret. */
export function hasSecret(client: KnownClient | undefined, secret: string): client is KnownClient {
  const presented = sha256(secret);
  const hashes = (client?.secret_hashes ?? []).map((hash) => Buffer.from(hash, 'base64'));
  return hashes.filter((hash) => timingSafeEqual(hash, presented)).length > 0;
}
