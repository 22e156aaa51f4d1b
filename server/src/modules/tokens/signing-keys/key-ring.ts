import { type KeyObject, hkdfSync } from 'node:crypto';
import type { SigningKeyId, TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { OpensslAlgorithm } from '../../../platform/crypto/openssl-key.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import { takeSecretKey } from '../../../platform/crypto/secret-key.ts';
import {
  importPrivateKey,
  importPublicKey,
  PrivateKey,
  type PublicKey,
} from '../../../platform/crypto/signature-key.ts';
import {
  type AuditKey,
  type AuditKeys,
  DataKeyGone,
  openAuditKey,
} from '../../../tenancy/audit-keys.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { LearnKeys } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import {
  type KeptSigningKey,
  listKeptSigningKeys,
  type WrappedKey,
} from '../../../tenancy/store.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { nextChangeOf, statesOfAlgorithm } from './key-rules.ts';

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
  /** The audit key and the subject key are created on demand. */
  auditKey?: AuditKey;
  subjectKey?: KeyObject;
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
        tenantKeysOf(await listKeptSigningKeys(gate.into(tenantId)), clock.now()),
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

  /** The key that pairwise subjects are derived from. @throws DataKeyGone if the tenant has no data key */
  async subjectKey(tenantId: TenantId): Promise<KeyObject> {
    const keys = await this.#keysOf.find(tenantId);
    if (!keys?.dataKey) throw new DataKeyGone(tenantId);
    keys.subjectKey ??= openSubjectKey(this.#masterKeys, tenantId, asStored(keys.dataKey));
    return keys.subjectKey;
  }

  /** Wipes the private keys in memory, at shutdown. */
  close(): void {
    this.#keysOf.clear();
  }

  async #find(tenantId: TenantId, kid: string): Promise<CachedKey | undefined> {
    return (await this.#keysOf.find(tenantId))?.published.find((key) => key.kid === kid);
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
    known: (tenantId) => openedIn(tenantId, keysOf.known(tenantId)),
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

function tenantKeysOf(rows: readonly KeptSigningKey[], now: Date): TenantKeys {
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
function wrappedOf([row]: readonly KeptSigningKey[]): WrappedText | null {
  if (!row?.wrapped_key || row.master_key_id === null) return null;
  return { key: row.wrapped_key.toString('latin1'), masterKeyId: row.master_key_id };
}

function sealedKey(row: KeptSigningKey, wrapped: WrappedText | null): SealedKey | undefined {
  return row.private_key ? { sealed: row.private_key.toString('latin1'), wrapped } : undefined;
}

/** Derived from the data key (RFC 5869), so that subjects survive changes of signing keys and of the master key. */
function openSubjectKey(
  masterKeys: MasterKeys,
  tenantId: TenantId,
  wrapped: WrappedKey,
): KeyObject {
  const dataKey = masterKeys.unwrap(tenantId, wrapped);
  try {
    const bytes = hkdfSync('sha256', dataKey, '', 'keywright pairwise subjects', 32);
    return takeSecretKey(Buffer.from(bytes));
  } finally {
    dataKey.fill(0);
  }
}

/** Identifies where a private key is stored; the key is sealed for this place. */
export function sealedPlace(tenantId: string, kid: string): string {
  return `signing_keys/${tenantId}/${kid}/private_key`;
}
