import { DEFAULT_TENANT, type TenantId, parseTenantId } from '@keywright/contract/ids';
import { TenantConfig } from '@keywright/contract/records/tenant';
import { Default } from 'typebox/value';
import { Cache } from '../platform/cache/cache.ts';
import type { Database } from '../platform/db/database.ts';
import type { Changes, QueryTime } from './changes.ts';
import {
  type StoredSigningKey,
  type NamedTenant,
  type TenantRow,
  findTenantRow,
  loadTenant,
} from './store.ts';
import { type Tenant, normalizeDomain } from './tenant.ts';

const MAX_CONFIGS = 1000;
/** Shared by all tenants without identity providers. */
const NO_PROVIDERS: Tenant['providers'] = [];

/** Called with the keys of a loaded tenant and the time of the read. */
export type LearnKeys = (id: TenantId, keys: readonly StoredSigningKey[], asOf: QueryTime) => void;

/** Finds tenants by ID or host name. */
export class TenantDirectory {
  readonly #database: Database;
  readonly #baseUrl: () => string;
  readonly #learnKeys: LearnKeys;
  readonly #sendsMailForAll: boolean;
  readonly #byId: TenantCache<TenantId, Tenant>;
  readonly #byDomain: TenantCache<string, Tenant>;
  /** Most tenants have the same settings, and share them in memory. */
  readonly #configs = new Cache<string, TenantConfig>(MAX_CONFIGS);

  /** @param sendsMailForAll whether the service sends the email of tenants without a mail server */
  constructor(
    database: Database,
    changes: Changes,
    baseUrl: () => string,
    learnKeys: LearnKeys,
    sendsMailForAll = false,
  ) {
    this.#database = database;
    this.#baseUrl = baseUrl;
    this.#learnKeys = learnKeys;
    this.#sendsMailForAll = sendsMailForAll;
    const tenantOf = (tenant: Tenant) => tenant.id;
    this.#byId = new TenantCache(changes, {
      load: (id: TenantId, asOf) => this.#load({ id }, asOf),
      tenantOf,
    });
    this.#byDomain = new TenantCache(changes, {
      load: (domain: string, asOf) => this.#load({ domain }, asOf),
      tenantOf,
    });
  }

  findById(text: string): Found<Tenant> | undefined {
    const id = parseTenantId(text);
    return id && this.#byId.find(id);
  }

  findByHost(host: string): Found<Tenant> | undefined {
    const domain = normalizeDomain(host);
    return domain === undefined ? undefined : this.#byDomain.find(domain);
  }

  /** Finds only tenants in memory that are still valid. */
  readonly cached = {
    findById: (text: string): Tenant | undefined => {
      const id = parseTenantId(text);
      return id && this.#byId.cached(id);
    },
    findByHost: (host: string): Tenant | undefined => {
      const domain = normalizeDomain(host);
      return domain === undefined ? undefined : this.#byDomain.cached(domain);
    },
  };

  /** Reads the tenant from the database, not from the cache. */
  async queryById(id: TenantId): Promise<Tenant | undefined> {
    const row = await findTenantRow(this.#database, { id });
    return row && this.#present(row);
  }

  async #load(by: NamedTenant, asOf: QueryTime): Promise<Tenant | undefined> {
    const loaded = await loadTenant(this.#database, by);
    if (!loaded) return undefined;
    // Nearly every request needs the keys next.
    this.#learnKeys(loaded.row.tenant_id, loaded.keys, asOf);
    return this.#present(loaded.row);
  }

  #present(row: TenantRow): Tenant {
    return {
      ...presentTenant(row, this.#configOf(row.config), this.#baseUrl()),
      sendsMail: this.#sendsMailForAll || row.has_mail_server,
      foreignHashes: row.foreign_hashes ?? undefined,
      providers: row.identity_providers ?? NO_PROVIDERS,
    };
  }

  #configOf(stored: Record<string, unknown>): TenantConfig {
    const text = JSON.stringify(stored);
    const config = this.#configs.get(text) ?? withDefaults(stored);
    this.#configs.set(text, config);
    return config;
  }
}

function presentTenant(row: TenantRow, config: TenantConfig, baseUrl: string) {
  const issuer = row.issuer ?? issuerOf(row.tenant_id, baseUrl);
  return {
    id: row.tenant_id,
    name: row.name,
    config,
    issuer,
    audience: config.audience ?? issuer,
    isActive: row.is_active,
  };
}

/** The issuer of a tenant without a custom one. */
export function issuerOf(tenantId: string, baseUrl: string): string {
  return tenantId === DEFAULT_TENANT ? baseUrl : `${baseUrl}/t/${tenantId}`;
}

/** Limited, because clients choose the unknown names. */
const MAX_ABSENT = 2000;

/** The cached value, if available synchronously; otherwise the pending lookup. */
export type Found<Value> = Value | Promise<Value | undefined>;

/** A query result, the time of the query, and its tenant. */
interface Answer<Value> extends QueryTime {
  readonly value: Value;
  readonly tenantId: string;
}

interface LookUp<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly asOf: QueryTime;
}

export interface Source<Key, Value> {
  /** @param asOf taken before the query */
  load(key: Key, asOf: QueryTime): Promise<Value | undefined>;
  /** The tenant that a value belongs to. */
  tenantOf(value: Value, key: Key): string;
  /** Whether an unchanged value is still valid; default: always. */
  isCurrent?(value: Value): boolean;
  /** Called with each evicted value. */
  onEvict?(value: Value): void;
  /** Maximum number of cached values, if they are large; default: as many as changes are remembered for. */
  readonly most?: number;
}

/**
 * Caches what is loaded for a key until its tenant changes. Concurrent requests share a lookup, unless something
 * changed after it started; absence is cached for a second. Never used for credentials.
 */
export class TenantCache<Key extends string, Value extends object> {
  readonly #changes: Changes;
  readonly #source: Source<Key, Value>;
  readonly #answers: Cache<Key, Answer<Value>>;
  readonly #absent = new Cache<Key, QueryTime>(MAX_ABSENT);
  readonly #inFlight = new Map<Key, LookUp<Value>>();

  constructor(changes: Changes, source: Source<Key, Value>) {
    this.#changes = changes;
    this.#source = source;
    this.#answers = new Cache(source.most ?? changes.remembers, ({ value }) =>
      source.onEvict?.(value),
    );
  }

  find(key: Key): Found<Value> | undefined {
    const value = this.cached(key);
    if (value) return value;
    const missed = this.#absent.get(key);
    if (missed && this.#changes.isRecent(missed)) return undefined;
    const pending = this.#inFlight.get(key);
    // A lookup that started before a change can have read the old state.
    return pending && this.#changes.isLatest(pending.asOf) ? pending.answer : this.#lookUp(key);
  }

  /** Returns the cached value if it is still valid; does not load. */
  cached(key: Key): Value | undefined {
    const answer = this.#answers.get(key);
    if (!answer || !this.#changes.holdsSince(answer, answer.tenantId)) return undefined;
    return (this.#source.isCurrent?.(answer.value) ?? true) ? answer.value : undefined;
  }

  /** Caches a value that was part of another result. @param asOf taken before that query */
  learn(key: Key, value: Value, { version, at }: QueryTime): void {
    const tenantId = this.#source.tenantOf(value, key);
    // A key from a request can be a slice of a long URL, which the cache would keep in memory.
    const cacheKey = tenantId === key ? (tenantId as Key) : key;
    this.#answers.set(cacheKey, { value, tenantId, version, at });
  }

  clear(): void {
    this.#answers.clear();
  }

  #lookUp(key: Key): Promise<Value | undefined> {
    const asOf = this.#changes.now();
    const answer = this.#load(key, asOf).finally(() => {
      if (this.#inFlight.get(key)?.answer === answer) this.#inFlight.delete(key);
    });
    this.#inFlight.set(key, { answer, asOf });
    return answer;
  }

  async #load(key: Key, asOf: QueryTime): Promise<Value | undefined> {
    const value = await this.#source.load(key, asOf);
    if (value) this.learn(key, value, asOf);
    else {
      this.#answers.delete(key);
      this.#absent.set(key, asOf);
    }
    return value;
  }
}

/** Defaults apply to whole fields, not within them. */
const DEFAULTS = Object.freeze(Default(TenantConfig, {}) as TenantConfig);

/** All settings of a tenant: the stored ones, and defaults for the rest. */
export function withDefaults(stored: unknown): TenantConfig {
  return { ...DEFAULTS, ...(stored as Partial<TenantConfig>) };
}
