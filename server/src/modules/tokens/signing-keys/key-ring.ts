import { type KeyObject, hkdfSync } from 'node:crypto';
import type { SigningKeyId, TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm, SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { Clock } from '../../../platform/clock.ts';
import {
  PrivateKey,
  type PublicKey,
  type SigningKey,
  importPrivateKey,
  importPublicKey,
} from '../../../platform/crypto/jws.ts';
import type { OpensslAlgorithm } from '../../../platform/crypto/openssl-key.ts';
import { takeSecretKey, unseal } from '../../../platform/crypto/sealed.ts';
import {
  type AuditKey,
  type AuditKeys,
  DataKeyGone,
  openAuditKey,
} from '../../../tenancy/audit-keys.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { type LearnKeys, TenantCache } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import {
  type StoredSigningKey,
  type WrappedKey,
  listStoredSigningKeys,
} from '../../../tenancy/store.ts';

/** The public half of a key. */
export interface PublishedKey {
  readonly kid: SigningKeyId;
  /** The 32 bytes of an Ed25519 key, or a SubjectPublicKeyInfo, in base64url. */
  readonly publicKey: string;
}

export interface PublishedApplicationKey extends PublishedKey {
  readonly algorithm: OpensslAlgorithm;
}

/** The cached keys of a tenant. It is small, because there are many tenants. */
interface TenantKeys {
  /** The published keys, newest first. */
  readonly published: readonly CachedKey[];
  readonly signer: CachedKey | undefined;
  /** When the signing or published keys change next, in milliseconds since the epoch. */
  readonly until: number;
  /** The wrapped data key; null if it was destroyed. */
  readonly dataKey: WrappedText | null;
  /** Keys that are derived from the data key on demand. */
  auditKey?: AuditKey;
  subjectKey?: KeyObject;
  refreshKey?: KeyObject;
}

interface CachedKey extends PublishedKey {
  /** Sealed until it is needed; undefined once the key was retired. */
  privateKey: SealedKey | PrivateKey | undefined;
}

/** Stored as strings, since small buffers keep large blocks of memory from being freed. */
interface SealedKey {
  readonly sealed: string;
  /** The wrapped data key that decrypts the private key; null if it was destroyed. */
  readonly wrapped: WrappedText | null;
}

interface WrappedText {
  readonly key: string;
  readonly masterKeyId: string;
}

/** Signs and verifies the tokens that a tenant itself accepts, only with its EdDSA keys. */
export class KeyRing {
  /** The keys that authenticate audit entries. The data key is loaded together with the signing keys. */
  readonly auditKeys: AuditKeys;
  /** Caches keys that were loaded together with the tenant. */
  readonly learn: LearnKeys;
  readonly #masterKeys: MasterKeys;
  readonly #keysOf: TenantCache<TenantId, TenantKeys>;

  constructor(gate: Gate, masterKeys: MasterKeys, changes: Changes, clock: Clock) {
    this.#masterKeys = masterKeys;
    this.#keysOf = new TenantCache(changes, {
      load: async (tenantId: TenantId) =>
        tenantKeysOf(await listStoredSigningKeys(gate.into(tenantId)), clock.now()),
      tenantOf: (_keys, tenantId) => tenantId,
      isCurrent: (keys) => clock.now().getTime() < keys.until,
      onEvict: wipe,
    });
    this.auditKeys = auditKeysOf(masterKeys, this.#keysOf);
    this.learn = (tenantId, keys, asOf) =>
      this.#keysOf.learn(tenantId, tenantKeysOf(keys, clock.now()), asOf);
  }

  /** Returns the key that signs new tokens of the tenant. */
  async signer(tenantId: TenantId): Promise<SigningKey> {
    const signer = (await this.#keysOf.find(tenantId))?.signer;
    if (!signer) throw new Error(`The tenant ${tenantId} has no signing key.`);
    return opened(this.#masterKeys, tenantId, signer);
  }

  /** Returns the key with this ID, to repeat its signatures; undefined after it was deleted. */
  async signerNamed(tenantId: TenantId, kid: string): Promise<SigningKey | undefined> {
    const key = await this.#find(tenantId, kid);
    return key?.privateKey && opened(this.#masterKeys, tenantId, key);
  }

  /** The published key with that ID; undefined if the tenant has none. */
  async verifier(tenantId: TenantId, kid: string): Promise<PublicKey | undefined> {
    const key = await this.#find(tenantId, kid);
    return key && importPublicKey(key.publicKey);
  }

  /** Whether the tenant has a published key with that ID. */
  async publishes(tenantId: TenantId, kid: string): Promise<boolean> {
    return (await this.#find(tenantId, kid)) !== undefined;
  }

  /** Returns the published keys, newest first. The list is the same object until it changes. */
  async published(tenantId: TenantId): Promise<readonly PublishedKey[]> {
    return (await this.#keysOf.find(tenantId))?.published ?? [];
  }

  /** The same if they are in memory and still valid. */
  cached(tenantId: TenantId): readonly PublishedKey[] | undefined {
    return this.#keysOf.cached(tenantId)?.published;
  }

  /** The key that pairwise subjects are derived from. @throws DataKeyGone if the tenant has no data key */
  async subjectKey(tenantId: TenantId): Promise<KeyObject> {
    const keys = await this.#keysOf.find(tenantId);
    if (!keys?.dataKey) throw new DataKeyGone(tenantId);
    keys.subjectKey ??= this.#derive(tenantId, keys.dataKey, 'pairwise subjects');
    return keys.subjectKey;
  }

  /** The key of the MACs of opaque refresh tokens. @throws DataKeyGone if the tenant has no data key */
  async refreshKey(tenantId: TenantId): Promise<KeyObject> {
    const keys = await this.#keysOf.find(tenantId);
    if (!keys?.dataKey) throw new DataKeyGone(tenantId);
    keys.refreshKey ??= this.#derive(tenantId, keys.dataKey, 'refresh tokens');
    return keys.refreshKey;
  }

  /** Wipes the private keys in memory, at shutdown. */
  close(): void {
    this.#keysOf.clear();
  }

  async #find(tenantId: TenantId, kid: string): Promise<CachedKey | undefined> {
    return (await this.#keysOf.find(tenantId))?.published.find((key) => key.kid === kid);
  }

  /**
   * Derives a key for this purpose only from the data key (RFC 5869), so that subjects and refresh tokens survive
   * changes of signing keys and of the master key.
   */
  #derive(tenantId: TenantId, wrapped: WrappedText, purpose: string): KeyObject {
    const dataKey = this.#masterKeys.unwrap(tenantId, asStored(wrapped));
    try {
      return takeSecretKey(
        Buffer.from(hkdfSync('sha256', dataKey, '', `keywright ${purpose}`, 32)),
      );
    } finally {
      dataKey.fill(0);
    }
  }
}

/** Audit keys are also decrypted only once, when the first entry is recorded. */
function auditKeysOf(masterKeys: MasterKeys, keysOf: TenantCache<TenantId, TenantKeys>): AuditKeys {
  const open = (tenantId: TenantId, wrapped: WrappedKey) =>
    openAuditKey(masterKeys, tenantId, wrapped);
  function openedIn(tenantId: TenantId, keys: TenantKeys | undefined): AuditKey | undefined {
    if (!keys?.dataKey) return undefined;
    keys.auditKey ??= open(tenantId, asStored(keys.dataKey));
    return keys.auditKey;
  }
  return {
    cached: (tenantId) => openedIn(tenantId, keysOf.cached(tenantId)),
    find: async (tenantId) => openedIn(tenantId, await keysOf.find(tenantId)),
    open,
  };
}

/** Evicted keys that callers may still use; they are decrypted again for each signature. */
const evicted = new WeakSet<CachedKey>();

function wipe({ published }: TenantKeys): void {
  for (const key of published) {
    evicted.add(key);
    if (key.privateKey instanceof PrivateKey) key.privateKey.wipe();
  }
}

/** Decrypts a private key once, synchronously, since its data key was loaded with it. */
function opened(masterKeys: MasterKeys, tenantId: TenantId, key: CachedKey): SigningKey {
  if (!(key.privateKey instanceof PrivateKey)) {
    if (!key.privateKey) throw new Error(`The key ${key.kid} was retired.`);
    const { privateKey: sealed } = key;
    const open = () => openKey(masterKeys, tenantId, key.kid, sealed, open);
    key.privateKey = open();
    if (evicted.has(key)) key.privateKey.wipe();
  }
  return key as SigningKey;
}

function openKey(
  masterKeys: MasterKeys,
  tenantId: TenantId,
  kid: string,
  { sealed, wrapped }: SealedKey,
  reopen: () => PrivateKey,
): PrivateKey {
  if (!wrapped) throw new Error(`The tenant ${tenantId} has no data key.`);
  const dataKey = masterKeys.unwrap(tenantId, asStored(wrapped));
  const der = unseal(dataKey, Buffer.from(sealed, 'latin1'), sealedPlace(tenantId, kid));
  dataKey.fill(0);
  try {
    return importPrivateKey(der, reopen);
  } finally {
    der.fill(0);
  }
}

function asStored({ key, masterKeyId }: WrappedText): WrappedKey {
  return { wrapped_key: Buffer.from(key, 'latin1'), master_key_id: masterKeyId };
}

function tenantKeysOf(rows: readonly StoredSigningKey[], now: Date): TenantKeys {
  const states = statesOfAlgorithm(rows, now);
  const dataKey = wrappedOf(rows);
  const published = rows
    .filter((row) => states.get(row.id) !== 'retired')
    .map((row): CachedKey => {
      return { kid: row.id, publicKey: row.public_key, privateKey: sealedKey(row, dataKey) };
    });
  const signer = published.find((key) => states.get(key.kid) === 'current');
  return { published, signer, dataKey, until: nextChangeOf(rows, now) };
}

/** Returns one string that all keys of a tenant share, since each row repeats it. */
function wrappedOf([row]: readonly StoredSigningKey[]): WrappedText | null {
  if (!row?.wrapped_key || row.master_key_id === null) return null;
  return { key: row.wrapped_key.toString('latin1'), masterKeyId: row.master_key_id };
}

function sealedKey(row: StoredSigningKey, wrapped: WrappedText | null): SealedKey | undefined {
  return row.private_key ? { sealed: row.private_key.toString('latin1'), wrapped } : undefined;
}

/** Identifies where a private key is stored; the key is sealed for this place. */
export function sealedPlace(tenantId: string, kid: string): string {
  return `signing_keys/${tenantId}/${kid}/private_key`;
}

/** How long a verifier may cache the key set, in seconds, as in its Cache-Control. */
export const KEY_SET_MAX_AGE_SECONDS = 300;
/** A new key signs this long after its publication, when every cached key set has expired. */
export const PUBLICATION_LEAD_SECONDS = KEY_SET_MAX_AGE_SECONDS + 10;
/** The maximum lifetime of access tokens in any tenant, plus clock skew. */
const LONGEST_TOKEN_SECONDS = 86_400 + 60;

export interface KeyTimes {
  readonly id: SigningKeyId;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
}

/** A key of one of several algorithms. Each algorithm has its own current signing key. */
interface KeyOfAlgorithm extends KeyTimes {
  readonly algorithm: KeyAlgorithm;
}

export type KeyState = SigningKeyRecord['state'];

/** The state of each key at a moment, separately by algorithm. `keys` are sorted as below. */
export function keyStates(
  keys: readonly KeyOfAlgorithm[],
  now: Date,
): ReadonlyMap<SigningKeyId, KeyState> {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  const states = new Map<SigningKeyId, KeyState>();
  for (const candidate of algorithms) {
    const ofAlgorithm = keys.filter(({ algorithm }) => algorithm === candidate);
    statesOfAlgorithm(ofAlgorithm, now).forEach((state, id) => states.set(id, state));
  }
  return states;
}

/**
 * Returns the state of each key of one algorithm. `keys` are sorted by the time when they start to sign, newest
 * first. A superseded key remains published until its last token has expired.
 */
function statesOfAlgorithm(
  keys: readonly KeyTimes[],
  now: Date,
): ReadonlyMap<SigningKeyId, KeyState> {
  const states = new Map<SigningKeyId, KeyState>();
  let takenOverAt: Date | undefined;
  for (const key of keys) {
    if (key.retired_at) {
      states.set(key.id, 'retired');
      // Keys older than one that signed remain superseded; otherwise an expired key would be published again.
      if (hasSigned(key)) takenOverAt = key.signs_from;
    } else if (key.signs_from > now) {
      states.set(key.id, 'next');
    } else {
      states.set(key.id, stateOfSigner(takenOverAt, now));
      takenOverAt = key.signs_from;
    }
  }
  return states;
}

/** Whether a key ever signed. A key that is retired before its start did not. */
function hasSigned({ signs_from: from, retired_at: until }: KeyTimes): boolean {
  return until === null || from < until;
}

/** The signing period of a key; `until` is undefined while it signs. */
export interface SigningPeriod {
  readonly from: Date;
  readonly until: Date | undefined;
}

/** Returns when a key signed or can still sign. @param keys of its algorithm, sorted as above, including `key` */
export function signingPeriod(keys: readonly KeyTimes[], key: KeyTimes): SigningPeriod {
  const from = key.signs_from;
  const ends = keys
    .filter((candidate) => candidate.signs_from > from && hasSigned(candidate))
    .map((candidate) => candidate.signs_from);
  const until = [...ends, ...(key.retired_at ? [key.retired_at] : [])].map(Number);
  return { from, until: until.length > 0 ? new Date(Math.min(...until)) : undefined };
}

/**
 * Returns until when access tokens of a key are accepted; undefined while no other key is scheduled to replace it.
 * @param keys of its algorithm, sorted as above, including `key`
 */
export function tokensUntil(keys: readonly KeyTimes[], key: KeyTimes): Date | undefined {
  const { until } = signingPeriod(keys, key);
  if (until === undefined) return undefined;
  const ends = [lastTokenExpiresAt(until), ...(key.retired_at ? [key.retired_at.getTime()] : [])];
  return new Date(Math.min(...ends));
}

function stateOfSigner(takenOverAt: Date | undefined, now: Date): KeyState {
  if (takenOverAt === undefined) return 'current';
  return lastTokenExpiresAt(takenOverAt) > now.getTime() ? 'previous' : 'retired';
}

function lastTokenExpiresAt(takenOverAt: Date): number {
  return takenOverAt.getTime() + LONGEST_TOKEN_SECONDS * 1000;
}

/**
 * Returns when the states of these keys change next, in milliseconds since the epoch: a key starts to sign, or a
 * key's last token expires. Infinity: never.
 */
export function nextChangeOf(keys: readonly KeyTimes[], now: Date): number {
  const moments = keys
    .filter(hasSigned)
    .flatMap(({ signs_from: signsFrom }) => [signsFrom.getTime(), lastTokenExpiresAt(signsFrom)]);
  return Math.min(...moments.filter((moment) => moment > now.getTime()));
}
