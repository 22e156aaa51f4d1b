import type { KeyObject } from 'node:crypto';
import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { SigningKeyId, TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { importPkcs8, type OpensslAlgorithm } from '../../../platform/crypto/openssl-key.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { MasterKeys, DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/directory.ts';
import { record } from '../../events/journal/index.ts';
import { type PublishedApplicationKey, keyStates, nextChangeOf, sealedPlace } from './key-ring.ts';
import { createSigningKey, type KeyPair, newKeyPair } from './key-rotation.ts';
import {
  findPrivateKey,
  listApplicationKeys,
  listSigningKeys,
  lockSigningKeys,
} from './signing-keys-store.ts';

/** Maximum number of imported keys. A key takes 4 KB of memory, and 20 µs to import. */
const MAX_IMPORTED = 1000;

/** A key that signs for applications. */
interface ApplicationSigner {
  readonly kid: SigningKeyId;
  readonly privateKey: KeyObject;
}

/** The cached keys of a tenant, without private keys, which are over a kilobyte each. */
interface TenantKeys {
  readonly published: readonly PublishedApplicationKey[];
  readonly signers: Readonly<Partial<Record<OpensslAlgorithm, SigningKeyId>>>;
  /** When the signing or published keys change next, in milliseconds since the epoch. */
  readonly until: number;
}

/** Shared by all tenants without keys for applications, which are most tenants. */
const NO_KEYS: TenantKeys = { published: [], signers: {}, until: Infinity };

/**
 * The keys of each tenant that sign JWTs for applications, with algorithms that all applications support. They are
 * separate from the key ring for two reasons: nothing signed with them passes for one of the service's own tokens,
 * and most tenants, which have no such keys, take no additional memory.
 */
export class ApplicationKeys {
  readonly #gate: Gate;
  readonly #masterKeys: MasterKeys;
  readonly #dataKeys: DataKeys;
  readonly #imported = new Cache<SigningKeyId, KeyObject>(MAX_IMPORTED);
  readonly #keysOf: TenantCache<TenantId, TenantKeys>;
  readonly #creating = new Map<string, Promise<void>>();

  constructor(
    gate: Gate,
    masterKeys: MasterKeys,
    dataKeys: DataKeys,
    changes: Changes,
    clock: Clock,
  ) {
    this.#gate = gate;
    this.#masterKeys = masterKeys;
    this.#dataKeys = dataKeys;
    this.#keysOf = new TenantCache(changes, {
      load: async (tenantId: TenantId) =>
        tenantKeysOf(await listApplicationKeys(gate.into(tenantId)), clock.now()),
      tenantOf: (_keys, tenantId) => tenantId,
      isCurrent: (keys) => clock.now().getTime() < keys.until,
      // Evicted on any change, since a key may have been retired.
      onEvict: ({ signers }) => Object.values(signers).forEach((kid) => this.#imported.delete(kid)),
    });
  }

  /** Returns the published keys, newest first. The list is the same object until they change. */
  async published(tenantId: TenantId): Promise<readonly PublishedApplicationKey[]> {
    return (await this.#get(tenantId)).published;
  }

  /** The same if they are in memory and still valid. */
  cached(tenantId: TenantId): readonly PublishedApplicationKey[] | undefined {
    return this.#keysOf.cached(tenantId)?.published;
  }

  /**
   * Publishes keys before they are needed. A client that fetched the key set before its first ID token would not find
   * the key in it, and libraries wait before they fetch it again. Every tenant already has an EdDSA key.
   */
  async publish(tenantId: TenantId, algorithms: Iterable<KeyAlgorithm>): Promise<void> {
    for (const algorithm of new Set(algorithms)) {
      if (algorithm !== 'EdDSA') await this.#signerOf(tenantId, algorithm);
    }
  }

  /** Returns the current signing key. A tenant's first key is created on demand. */
  async signer(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<ApplicationSigner> {
    const kid = await this.#signerOf(tenantId, algorithm);
    const privateKey = this.#imported.get(kid) ?? (await this.#import(tenantId, kid));
    return { kid, privateKey };
  }

  async #get(tenantId: TenantId): Promise<TenantKeys> {
    const keys = await this.#keysOf.find(tenantId);
    if (!keys) throw new Error(`The keys of the tenant ${tenantId} cannot be read.`);
    return keys;
  }

  async #signerOf(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<SigningKeyId> {
    const kid = (await this.#get(tenantId)).signers[algorithm];
    if (kid !== undefined) return kid;
    await this.#create(tenantId, algorithm);
    const created = (await this.#get(tenantId)).signers[algorithm];
    if (created === undefined)
      throw new Error(`The tenant ${tenantId} has no key of ${algorithm}.`);
    return created;
  }

  /** Creates one key for all waiting requests of this node. If several nodes create a key, only one is stored. */
  #create(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<void> {
    const name = `${algorithm} ${tenantId}`;
    const pending =
      this.#creating.get(name) ??
      this.#createFirst(tenantId, algorithm).finally(() => this.#creating.delete(name));
    this.#creating.set(name, pending);
    return pending;
  }

  async #createFirst(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<void> {
    const pair = await newKeyPair(algorithm);
    await this.#dataKeys.use(tenantId, (dataKey) =>
      this.#gate.into(tenantId).transaction((tx) => insertFirst(tx, dataKey, pair)),
    );
  }

  async #import(tenantId: TenantId, kid: SigningKeyId): Promise<KeyObject> {
    const row = await findPrivateKey(this.#gate.into(tenantId), kid);
    if (!row) throw new Error(`The key ${kid} was retired.`);
    const dataKey = this.#masterKeys.unwrap(tenantId, row);
    try {
      const der = unseal(dataKey, row.private_key, sealedPlace(tenantId, kid));
      const key = importPkcs8(der);
      der.fill(0);
      this.#imported.set(kid, key);
      return key;
    } finally {
      dataKey.fill(0);
    }
  }
}

function tenantKeysOf(
  rows: Awaited<ReturnType<typeof listApplicationKeys>>,
  now: Date,
): TenantKeys {
  if (rows.length === 0) return NO_KEYS;
  const states = keyStates(rows, now);
  const current = rows.filter((row) => states.get(row.id) === 'current');
  return {
    published: rows
      .filter((row) => states.get(row.id) !== 'retired')
      .map((row) => ({ kid: row.id, publicKey: row.public_key, algorithm: row.algorithm })),
    signers: Object.fromEntries(current.map((row) => [row.algorithm, row.id])),
    until: nextChangeOf(rows, now),
  };
}

const ACTOR = { kind: 'system', name: 'signing keys' } as const;

async function insertFirst(tx: TenantTx, dataKey: Buffer, pair: KeyPair): Promise<void> {
  const { algorithm } = pair;
  await lockSigningKeys(tx);
  const keys = await listSigningKeys(tx);
  const states = keyStates(keys, tx.now);
  const signs = keys.some((key) => key.algorithm === algorithm && states.get(key.id) === 'current');
  // Another node may have stored a key, which this node must read.
  tx.changed();
  if (signs) return;
  // The key's start is backdated by the clock skew: a node with a slow clock would otherwise create another key.
  const signsFrom = new Date(tx.now.getTime() - CLOCK_SKEW_SECONDS * 1000);
  const { id } = await createSigningKey(tx, dataKey, pair, tx.now, signsFrom);
  await record(tx, ACTOR, {
    action: 'key.rotated',
    target: { kind: 'signing_key', id },
    details: { immediately: true, algorithm },
    events: [
      {
        type: 'key.rotated',
        data: { key_id: id, algorithm, signs_from: signsFrom.toISOString() },
      },
    ],
  });
}
