import { timingSafeEqual } from 'node:crypto';
import { type OAuthClientId, parseOAuthClientId, type TenantId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type Found, TenantCache } from '../../../tenancy/tenant-cache.ts';
import { documentAddress } from './client-documents.ts';
import {
  createFindClients,
  createFindVersions,
  findClientWithin,
  type KnownClient,
  UNWRITTEN,
} from './client-store.ts';
import type { FindKnown, PublishedClients } from './document-clients.ts';

/** The clients that requests name. */
export interface Clients extends Pick<PublishedClients, 'admit' | 'keep'> {
  /**
   * As this node knows it, which may be an earlier version. Whatever opens a session with it, or sends a code to it,
   * compares the version in its statement, and calls `forget` where there is another.
   */
  known(tenantId: TenantId, named: string): Found<KnownClient> | undefined;
  /** Whether it is as it was, asked of the database. */
  isCurrent(client: KnownClient): Promise<boolean>;
  /** As it is now. */
  find(tenantId: TenantId, named: string): Promise<KnownClient | undefined>;
  /** The same in a transaction. */
  findIn(tx: TenantTx, named: string): Promise<KnownClient | undefined>;
  /** The notification of a change has not arrived yet. */
  forget(tenantId: TenantId): void;
}

export function createClients(
  gate: Gate,
  changes: Changes,
  createPublished: (find: FindKnown) => PublishedClients,
): Clients {
  const load = createFindClients(gate);
  const findVersion = createFindVersions(gate);
  const cache = new TenantCache<ClientKey, KnownClient>(changes, {
    load: (key) => load(key.split(' ') as [TenantId, OAuthClientId]),
    tenantOf: (client) => client.tenant_id,
  });
  const findKnown: FindKnown = async (tenantId, id) => cache.find(`${tenantId} ${id}`);
  const published = createPublished(findKnown);
  const orPublished = (found: KnownClient | undefined, tenantId: TenantId, id: OAuthClientId) =>
    found ?? published.kept(tenantId, id);
  return {
    known(tenantId, named) {
      const id = parseOAuthClientId(named);
      const found = id && cache.find(`${tenantId} ${id}`);
      if (!id || !documentAddress(id)) return found;
      return found instanceof Promise
        ? found.then((one) => orPublished(one, tenantId, id))
        : orPublished(found, tenantId, id);
    },
    async isCurrent({ tenant_id: tenantId, id, version }) {
      return ((await findVersion([tenantId, id])) ?? UNWRITTEN) === version;
    },
    async find(tenantId, named) {
      const id = parseOAuthClientId(named);
      return id && orPublished(await load([tenantId, id]), tenantId, id);
    },
    async findIn(tx, named) {
      const id = parseOAuthClientId(named);
      return id && orPublished(await findClientWithin(tx, id), tx.tenantId, id);
    },
    forget: changes.forget,
    admit: published.admit,
    keep: published.keep,
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
