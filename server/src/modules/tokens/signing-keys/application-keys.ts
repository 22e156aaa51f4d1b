import type { KeyObject } from 'node:crypto';
import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { SigningKeyId, TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { type Cache, createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { importPkcs8, type OpensslAlgorithm } from '../../../platform/crypto/openssl-key.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { MasterKeys, DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { record } from '../../events/journal/index.ts';
import { type PublishedApplicationKey, sealedPlace } from './key-ring.ts';
import { createSigningKey, type KeyPair, newKeyPair } from './key-rotation.ts';
import { keyStates, nextChangeOf } from './key-rules.ts';
import {
  findPrivateKey,
  listApplicationKeys,
  listSigningKeys,
  lockSigningKeys,
} from './signing-keys-store.ts';

/** An imported key takes 4 KB of memory, and 20 µs to import. */
const MAX_IMPORTED = 1000;

/** A key that signs for applications. */
interface ApplicationSigner {
  readonly kid: SigningKeyId;
  readonly privateKey: KeyObject;
}

/**
 * The keys of each tenant that sign what applications verify, of algorithms that they all know. They are apart from those
 * of the key ring, so that nothing signed with them can be taken for one of the service's own tokens, and so that most
 * tenants, which have none, take no more memory.
 */
export interface ApplicationKeys {
  /** The published keys, the newest first: the same list while it does not change. */
  published(tenantId: TenantId): Promise<readonly PublishedApplicationKey[]>;
  /** Makes sure that there is a key that signs, so that clients find it before they see its signature. */
  prepare(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<void>;
  /** The key that signs now. The first one of a tenant is made when it is needed. */
  signer(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<ApplicationSigner>;
}

/** Without private keys, which are over a kilobyte each. */
interface TenantKeys {
  readonly published: readonly PublishedApplicationKey[];
  readonly signers: Readonly<Partial<Record<OpensslAlgorithm, SigningKeyId>>>;
  /** From this moment on other keys sign or are published. Milliseconds since the epoch. */
  readonly until: number;
}

interface Dependencies {
  readonly gate: Gate;
  readonly masterKeys: MasterKeys;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly ensureKey: EnsureKey;
}

export function createApplicationKeys(dependencies: Dependencies): ApplicationKeys {
  const { gate, changes, clock, ensureKey } = dependencies;
  const imported = createCache<SigningKeyId, KeyObject>(MAX_IMPORTED);
  const keysOf = new TenantCache(changes, {
    load: async (tenantId: TenantId) =>
      known(await listApplicationKeys(gate.into(tenantId)), clock.now()),
    tenantOf: (_keys, tenantId) => tenantId,
    isCurrent: (keys) => clock.now().getTime() < keys.until,
    // After any change: one may have been retired.
    onEvict: ({ signers }) => Object.values(signers).forEach((kid) => imported.delete(kid)),
  });

  async function find(tenantId: TenantId): Promise<TenantKeys> {
    const keys = await keysOf.find(tenantId);
    if (!keys) throw new Error(`The keys of the tenant ${tenantId} cannot be read.`);
    return keys;
  }

  async function signerOf(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<SigningKeyId> {
    const kid = (await find(tenantId)).signers[algorithm];
    if (kid !== undefined) return kid;
    await ensureKey(tenantId, algorithm);
    const made = (await find(tenantId)).signers[algorithm];
    if (made === undefined) throw new Error(`The tenant ${tenantId} has no key of ${algorithm}.`);
    return made;
  }

  return {
    published: async (tenantId) => (await find(tenantId)).published,
    async prepare(tenantId, algorithm) {
      await signerOf(tenantId, algorithm);
    },
    async signer(tenantId, algorithm) {
      const kid = await signerOf(tenantId, algorithm);
      const privateKey =
        imported.get(kid) ?? (await importKey(dependencies, imported, tenantId, kid));
      return { kid, privateKey };
    },
  };
}

async function importKey(
  { gate, masterKeys }: Dependencies,
  imported: Cache<SigningKeyId, KeyObject>,
  tenantId: TenantId,
  kid: SigningKeyId,
): Promise<KeyObject> {
  const row = await findPrivateKey(gate.into(tenantId), kid);
  if (!row) throw new Error(`The key ${kid} was retired.`);
  const dataKey = masterKeys.unwrap(tenantId, row);
  try {
    const der = unseal(dataKey, row.private_key, sealedPlace(tenantId, kid));
    const key = importPkcs8(der);
    der.fill(0);
    imported.set(kid, key);
    return key;
  } finally {
    dataKey.fill(0);
  }
}

function known(rows: Awaited<ReturnType<typeof listApplicationKeys>>, now: Date): TenantKeys {
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

/**
 * Publishes keys that are about to be needed. A client that fetched the key set before its first ID token would not find
 * the key in it, and libraries wait before they fetch it again.
 */
export type PublishKeys = (tenantId: TenantId, algorithms: Iterable<KeyAlgorithm>) => Promise<void>;

/** Every tenant has a key of EdDSA. */
export function createPublishKeys(keys: ApplicationKeys): PublishKeys {
  return async (tenantId, algorithms) => {
    for (const algorithm of new Set(algorithms)) {
      if (algorithm !== 'EdDSA') await keys.prepare(tenantId, algorithm);
    }
  };
}

const WHO = { kind: 'system', name: 'signing keys' } as const;

/** Makes sure that the tenant has a key of this algorithm that signs. */
type EnsureKey = (tenantId: TenantId, algorithm: OpensslAlgorithm) => Promise<void>;

/** Requests of this node wait for one key; of those that several nodes made, one is stored. */
export function createEnsureKey(gate: Gate, dataKeys: DataKeys): EnsureKey {
  const underWay = new Map<string, Promise<void>>();

  async function make(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<void> {
    const pair = await newKeyPair(algorithm);
    await dataKeys.use(tenantId, (dataKey) =>
      gate.into(tenantId).transaction((tx) => insertFirst(tx, dataKey, pair)),
    );
  }

  return (tenantId, algorithm) => {
    const name = `${algorithm} ${tenantId}`;
    const pending =
      underWay.get(name) ?? make(tenantId, algorithm).finally(() => underWay.delete(name));
    underWay.set(name, pending);
    return pending;
  };
}

async function insertFirst(tx: TenantTx, dataKey: Buffer, pair: KeyPair): Promise<void> {
  const { algorithm } = pair;
  await lockSigningKeys(tx);
  const keys = await listSigningKeys(tx);
  const states = keyStates(keys, tx.now);
  const signs = keys.some((key) => key.algorithm === algorithm && states.get(key.id) === 'current');
  // This node has to read what another one has stored.
  tx.changed();
  if (signs) return;
  // By a clock that is a little slow it signs, too: otherwise that node would make another one.
  const signsFrom = new Date(tx.now.getTime() - CLOCK_SKEW_SECONDS * 1000);
  const { id } = await createSigningKey(tx, dataKey, pair, tx.now, signsFrom);
  await record(tx, WHO, {
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
