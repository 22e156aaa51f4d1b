import type { Fail } from '@keywright/contract/errors';
import { parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Database } from '../../../platform/db/database.ts';
import { startLive, LiveConnection } from '../../../platform/http/live.ts';
import type { Log } from '../../../platform/log.ts';
import { ConnectionLimiter } from '../../../tenancy/connection-limiter.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import type { Revocations, TenantStatus } from './revocations.ts';
import { type StatusChange, changeEvent, closedEvent } from './status-format.ts';

/** The channel on which the database announces revocations. The payload is the tenant. */
const CHANNEL = 'keywright_status';
/** How often the database is queried without a notification. */
const QUERY_EVERY_MS = 1000;
/** Each time this many queries have run, readers get an event that they are up to date. */
const BEAT_EVERY = 5;
const RETRY_AFTER_SECONDS = 1;

/** A reader of a tenant's changes from a version on. */
interface Reader {
  readonly tenant: Tenant;
  readonly address: string;
  /** Undefined: from now on. */
  readonly after: number | undefined;
}

/** The streams of this node, of all tenants. */
export class StatusStreams {
  readonly #revocations: Revocations;
  readonly #keys: KeyRing;
  readonly #directory: TenantDirectory;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limiter: ConnectionLimiter;
  readonly #subscribersByTenant = new Map<TenantId, Subscribers>();
  #isEnding = false;
  #beats = 0;

  constructor({ config, directory, clock, log }: Core, keys: KeyRing, revocations: Revocations) {
    this.#revocations = revocations;
    this.#keys = keys;
    this.#directory = directory;
    this.#clock = clock;
    this.#log = log;
    this.#limiter = new ConnectionLimiter(config.statusStreams);
  }

  get open(): number {
    return this.#limiter.total;
  }

  /** Listens to database notifications, and also queries every second. @returns a function that stops both */
  async start(watchChannel: Database['watch']): Promise<() => Promise<void>> {
    const queryAll = () => this.#subscribersByTenant.forEach((subscribers) => subscribers.query());
    const watch = await watchChannel(CHANNEL, (payload) => this.#announce(payload), queryAll);
    let ticking: Promise<void> | undefined;
    const timer = setInterval(() => {
      ticking ??= this.#tick().finally(() => (ticking = undefined));
    }, QUERY_EVERY_MS);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await watch.stop();
      await ticking;
    };
  }

  /** Sends a reader every change from now on. Requests are rejected before the response starts. */
  async follow(reader: Reader, reply: FastifyReply, fail: Fail<'UNAVAILABLE'>): Promise<void> {
    const { id } = reader.tenant;
    // A reader that has already disconnected would never release its slot.
    if (reply.raw.destroyed) return void reply.hijack();
    const releaseSlot = this.#limiter.admit(id, reader.address, fail);
    reply.raw.once('close', releaseSlot);
    try {
      await this.#revocations.freshen(this.#revocations.of(id));
      if (this.#isEnding) fail('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    } catch (error) {
      reply.raw.off('close', releaseSlot);
      releaseSlot();
      throw error;
    }
    if (!startLive(reply)) return;
    const connection = new Connection(reply.raw);
    const subscribers = this.#subscribersOf(id);
    reply.raw.once('close', () => this.#unsubscribe(subscribers, connection));
    await subscribers.subscribe(connection, reader.after);
  }

  /** Ends every stream, so that readers reconnect to another node, and accepts no new streams. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(
      [...this.#subscribersByTenant.values()].map((subscribers) => subscribers.end(false)),
    );
  }

  #announce(payload: string): void {
    const tenantId = parseTenantId(payload);
    if (!tenantId) return;
    this.#revocations.announce(tenantId);
    this.#subscribersByTenant.get(tenantId)?.query();
  }

  async #tick(): Promise<void> {
    this.#beats += 1;
    const isBeat = this.#beats % BEAT_EVERY === 0;
    const outcomes = await Promise.allSettled(
      [...this.#subscribersByTenant.values()].map((subscribers) =>
        this.#attend(subscribers, isBeat),
      ),
    );
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed.length === 0) return;
    const err: unknown = failed[0]?.reason;
    this.#log.warn({ err, tenants: failed.length }, 'status streams fall behind');
  }

  async #attend(subscribers: Subscribers, isBeat: boolean): Promise<void> {
    if (await this.#isOver(subscribers)) return;
    await this.#revocations.refresh(subscribers.status);
    await subscribers.beat(isBeat);
  }

  /** Ends the streams of a tenant that was deactivated or deleted. */
  async #isOver(subscribers: Subscribers): Promise<boolean> {
    const { tenantId } = subscribers.status;
    const tenant = await this.#directory.findById(tenantId);
    if (tenant?.isActive) return false;
    this.#drop(subscribers);
    await subscribers.end(true);
    return true;
  }

  #subscribersOf(tenantId: TenantId): Subscribers {
    const present = this.#subscribersByTenant.get(tenantId);
    if (present) return present;
    const status = this.#revocations.follow(tenantId);
    const signer = new StatusSigner(tenantId, this.#keys, this.#directory, this.#clock);
    const subscribers = new Subscribers(status, this.#revocations, signer, this.#log);
    this.#subscribersByTenant.set(tenantId, subscribers);
    return subscribers;
  }

  #unsubscribe(subscribers: Subscribers, connection: Connection): void {
    subscribers.unsubscribe(connection);
    if (subscribers.isEmpty) this.#drop(subscribers);
  }

  #drop(subscribers: Subscribers): void {
    const { tenantId } = subscribers.status;
    if (this.#subscribersByTenant.get(tenantId) !== subscribers) return;
    this.#subscribersByTenant.delete(tenantId);
    this.#revocations.unfollow(subscribers.status);
  }
}

/** If the last query is older than this, subscribers get no event that they are up to date. */
const VOUCHED_MS = 2500;
/** Minimum interval between queries that notifications cause. The first query is immediate. */
const GAP_MS = 50;

/** The status streams of one tenant on this node. */
class Subscribers {
  readonly status: TenantStatus;
  readonly #revocations: Revocations;
  readonly #signer: StatusSigner;
  readonly #log: Log;
  readonly #connections = new Set<Connection>();
  /** Changes are sent one after the other. */
  #notifying: Promise<void> = Promise.resolve();
  #refreshTimer: NodeJS.Timeout | undefined;

  constructor(status: TenantStatus, revocations: Revocations, signer: StatusSigner, log: Log) {
    this.status = status;
    this.#revocations = revocations;
    this.#signer = signer;
    this.#log = log;
    status.onChange = (change) => {
      this.#notifying = this.#notifying.then(() => this.#try(() => this.#notify(change)));
    };
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  /** Sends a new subscriber the changes after its version, and from then on every change. */
  async subscribe(connection: Connection, after: number | undefined): Promise<void> {
    this.#connections.add(connection);
    await this.#try(() => this.#bringUp(connection, after));
  }

  unsubscribe(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** Reads the changes after a notification. Notifications in quick succession share a query. */
  query(): void {
    if (this.#refreshTimer !== undefined) return;
    const sinceMs = performance.now() - this.status.queriedAt;
    this.#refreshTimer = setTimeout(
      () => {
        this.#refreshTimer = undefined;
        void this.#try(() => this.#revocations.refresh(this.status));
      },
      Math.max(0, GAP_MS - sinceMs),
    );
    this.#refreshTimer.unref();
  }

  /** Sends missed changes to connections that are behind and, if requested, an empty change to the others. */
  async beat(isForAll: boolean): Promise<void> {
    this.#signer.forget();
    const { version, queriedAt } = this.status;
    if (version === undefined) return;
    const behind = [...this.#connections].filter((connection) => connection.version !== version);
    await Promise.all(
      behind.map((connection) => this.#try(() => this.#bringUp(connection, connection.version))),
    );
    if (isForAll && performance.now() - queriedAt < VOUCHED_MS) {
      await this.#try(() => this.#notify({ from: version, version, bits: [] }));
    }
  }

  /** Ends every connection. @param isClosed whether the tenant is closed; otherwise this node shuts down */
  async end(isClosed: boolean): Promise<void> {
    clearTimeout(this.#refreshTimer);
    this.status.onChange = undefined;
    const lastEvent = isClosed ? await this.#signer.closed() : undefined;
    for (const connection of this.#connections) connection.end(lastEvent);
  }

  async #notify(change: StatusChange): Promise<void> {
    const text = await this.#signer.change(change);
    const { from, version } = change;
    for (const connection of this.#connections) {
      const last = connection.version;
      if (last === undefined || last < from || last > version) continue;
      if (last < version || from === version) connection.send(text, version);
    }
  }

  async #bringUp(connection: Connection, after: number | undefined): Promise<void> {
    if (connection.isCatchingUp) return;
    connection.isCatchingUp = true;
    try {
      for (let place = after; connection.isOpen; place = connection.version) {
        const change = await this.#since(place);
        const text = await this.#signer.change(change);
        // The connection may have received a later version meanwhile.
        if ((connection.version ?? -1) < change.version) connection.send(text, change.version);
        if (change.version >= (this.status.version ?? 0)) return;
      }
    } finally {
      connection.isCatchingUp = false;
    }
  }

  async #since(place: number | undefined): Promise<StatusChange> {
    const { status } = this;
    // The reader got that version from another node, which had read further.
    if (place !== undefined && place > (status.version ?? 0)) {
      await this.#revocations.refresh(status);
    }
    const version = status.version ?? 0;
    if (place === undefined || place === version) return { from: version, version, bits: [] };
    if (place > version) return { from: version, version, bits: undefined };
    return status.since(place) ?? this.#revocations.findSince(status, place);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.warn({ err: error, tenant: this.status.tenantId }, 'a status stream fell behind');
    }
  }
}

interface Signer {
  readonly key: SigningKey;
  readonly issuer: string;
}

/** Signs the events of one tenant's streams. */
class StatusSigner {
  readonly #tenantId: TenantId;
  readonly #keys: KeyRing;
  readonly #directory: TenantDirectory;
  readonly #clock: Clock;
  /** Recent events, shared by readers that reconnect at the same time. */
  readonly #recent = new Map<string, string>();
  #last: Signer | undefined;

  constructor(tenantId: TenantId, keys: KeyRing, directory: TenantDirectory, clock: Clock) {
    this.#tenantId = tenantId;
    this.#keys = keys;
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Drops the cached events, which are outdated. */
  forget(): void {
    this.#recent.clear();
  }

  async change(change: StatusChange): Promise<string> {
    const { from, version, bits } = change;
    const kind = bits === undefined ? 'reset' : `${bits.length} bits`;
    const place = `${from} ${version} ${kind}`;
    const present = this.#recent.get(place);
    if (present !== undefined) return present;
    const { key, issuer } = await this.#find();
    const text = changeEvent(key, issuer, change, this.#clock.now());
    this.#recent.set(place, text);
    return text;
  }

  /** Returns the event for a closed tenant; undefined if nothing was ever signed and the tenant's keys are gone. */
  async closed(): Promise<string | undefined> {
    const signer = await this.#find().catch(() => this.#last);
    return signer && closedEvent(signer.key, signer.issuer, this.#clock.now());
  }

  async #find(): Promise<Signer> {
    const [key, tenant] = await Promise.all([
      this.#keys.signer(this.#tenantId),
      this.#directory.findById(this.#tenantId),
    ]);
    if (!tenant) throw new Error(`There is no tenant ${this.#tenantId}.`);
    this.#last = { key, issuer: tenant.issuer };
    return this.#last;
  }
}

/** One reader of a stream. */
class Connection extends LiveConnection {
  /** The version of the last event; undefined before the first event. */
  version: number | undefined;
  /** Whether missed changes are being written. */
  isCatchingUp = false;

  /** @param version the version that the event leads to */
  send(text: string, version: number): void {
    this.version = version;
    this.write(text);
  }
}
