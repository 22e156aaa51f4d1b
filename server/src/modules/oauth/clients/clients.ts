import { timingSafeEqual } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId, type TenantId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type Found, TenantCache } from '../../../tenancy/tenant-cache.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Actor } from '../../events/journal/index.ts';
import { documentAddress } from './client-documents.ts';
import {
  type ClientName,
  findClientWithin,
  findKnownClients,
  findVersions,
  type KnownClient,
  UNWRITTEN,
} from './client-store.ts';
import type { DocumentClients } from './document-clients.ts';

type CacheKey = `${TenantId} ${OAuthClientId}`;

const BATCH = { size: 64, flights: 1 };

/** The clients that requests name. Concurrent lookups share one statement. */
export class Clients {
  readonly #changes: Changes;
  readonly #documentClients: DocumentClients;
  readonly #load: (name: ClientName) => Promise<KnownClient | undefined>;
  readonly #findVersion: (name: ClientName) => Promise<number | undefined>;
  readonly #cache: TenantCache<CacheKey, KnownClient>;

  constructor(gate: Gate, changes: Changes, documentClients: DocumentClients) {
    this.#changes = changes;
    this.#documentClients = documentClients;
    this.#load = batched((names: readonly ClientName[]) => findKnownClients(gate, names), BATCH);
    this.#findVersion = batched((names: readonly ClientName[]) => findVersions(gate, names), BATCH);
    this.#cache = new TenantCache<CacheKey, KnownClient>(changes, {
      load: (key) => this.#load(key.split(' ') as [TenantId, OAuthClientId]),
      tenantOf: (client) => client.tenant_id,
    });
  }

  /**
   * Returns a client as cached on this node, which can be an earlier version. A statement that opens a session for
   * the client, or sends a code to it, compares the version; on a mismatch, the caller calls `forget`.
   */
  known(tenantId: TenantId, named: string): Found<KnownClient> | undefined {
    const id = parseOAuthClientId(named);
    const found = id && this.#cache.find(`${tenantId} ${id}`);
    if (!id || !documentAddress(id)) return found;
    return found instanceof Promise
      ? found.then((client) => this.#orAdmitted(client, tenantId, id))
      : this.#orAdmitted(found, tenantId, id);
  }

  /** Whether this version of the client is current in the database. */
  async isCurrent({ tenant_id: tenantId, id, version }: KnownClient): Promise<boolean> {
    return ((await this.#findVersion([tenantId, id])) ?? UNWRITTEN) === version;
  }

  /** Returns the current client from the database. */
  async find(tenantId: TenantId, named: string): Promise<KnownClient | undefined> {
    const id = parseOAuthClientId(named);
    return id && this.#orAdmitted(await this.#load([tenantId, id]), tenantId, id);
  }

  /** Returns the client as this transaction sees it. */
  async findIn(tx: TenantTx, named: string): Promise<KnownClient | undefined> {
    const id = parseOAuthClientId(named);
    return id && this.#orAdmitted(await findClientWithin(tx, id), tx.tenantId, id);
  }

  /** Clears the cached clients of a tenant without waiting for the notification of a change. */
  forget(tenantId: TenantId): void {
    this.#changes.forget(tenantId);
  }

  /**
   * Reads the document of a client whose ID is its address, unless it was read recently. Called before a login
   * starts; afterwards `known` finds the client.
   * @param from the origin of the request; undefined if it is already rate-limited
   * @returns why the document cannot be used; undefined if it can, and for any other client
   */
  async admit(
    tenant: Tenant,
    named: string,
    from: Origin | undefined,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<string | undefined> {
    const url = documentAddress(named);
    const id = url && parseOAuthClientId(named);
    if (!url || !id) return undefined;
    const find = async () => this.#cache.find(`${tenant.id} ${id}`);
    return this.#documentClients.admit(tenant, { id, url, find }, from, fail);
  }

  /** Inserts a client that has only a document so far, before the user consents to it. */
  async keep(
    tx: TenantTx,
    by: Actor,
    tenant: Tenant,
    id: OAuthClientId,
    fail: Fail<'TOO_MANY_CLIENTS' | 'REGISTRATION_FULL'>,
  ): Promise<void> {
    await this.#documentClients.insert(tx, by, tenant, id, fail);
  }

  /** Returns the client from its row, or from the document that this node has admitted. */
  #orAdmitted(
    found: KnownClient | undefined,
    tenantId: TenantId,
    id: OAuthClientId,
  ): KnownClient | undefined {
    return found ?? this.#documentClients.admitted(tenantId, id);
  }
}

/** Returns the client as this transaction sees it; undefined if it has only a document. */
export async function findClientIn(tx: TenantTx, named: string): Promise<KnownClient | undefined> {
  const id = parseOAuthClientId(named);
  return id && findClientWithin(tx, id);
}

/** Whether this is a secret of the client. The check takes equally long for an unknown client and a wrong secret. */
export function hasSecret(client: KnownClient | undefined, secret: string): client is KnownClient {
  const presented = sha256(secret);
  const hashes = (client?.secret_hashes ?? []).map((hash) => Buffer.from(hash, 'base64'));
  return hashes.filter((hash) => timingSafeEqual(hash, presented)).length > 0;
}
