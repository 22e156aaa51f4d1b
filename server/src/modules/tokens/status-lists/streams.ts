import type { Fail } from '@keywright/contract/errors';
import { parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { FastifyReply } from 'fastify';
import { beginLive } from '../../../platform/http/live.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { ConnectionLimiter, type StreamLimits } from '../../../tenancy/connection-limiter.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import { Connection } from './connection.ts';
import { Subscribers } from './subscribers.ts';
import type { Revocations } from './revocations.ts';
import { StatusSigner } from './status-signer.ts';

/** The channel that the database announces revocations on; the payload is the tenant. */
const CHANNEL = 'keywright_status';
/** How often the database is queried without a notification. */
const ASK_EVERY_MS = 1000;
/** Every so many queries without changes, readers are told that they are up to date. */
const BEAT_EVERY = 5;
const RETRY_AFTER_SECONDS = 1;

interface Dependencies {
  readonly revocations: Revocations;
  readonly keys: KeyRing;
  readonly directory: TenantDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: StreamLimits;
}

/** A reader of the changes in a tenant, from a version on, and its connection. */
export interface Reader {
  readonly tenant: Tenant;
  readonly address: string;
  /** Undefined: from now on. */
  readonly after: number | undefined;
}

/** The streams of this node, of all tenants. */
export class StatusStreams {
  readonly #dependencies: Dependencies;
  readonly #limiter: ConnectionLimiter;
  readonly #subscribersByTenant = new Map<TenantId, Subscribers>();
  #isEnding = false;
  #beats = 0;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#limiter = new ConnectionLimiter(dependencies.limits);
  }

  get open(): number {
    return this.#limiter.total;
  }

  /** Listens to notifications of the database, and also queries it every second. @returns how to stop */
  async start(watchChannel: Database['watch']): Promise<() => Promise<void>> {
    const askAll = () => this.#subscribersByTenant.forEach((subscribers) => subscribers.ask());
    const watch = await watchChannel(CHANNEL, (payload) => this.#announce(payload), askAll);
    let ticking: Promise<void> | undefined;
    const timer = setInterval(() => {
      ticking ??= this.#tick().finally(() => (ticking = undefined));
    }, ASK_EVERY_MS);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await watch.stop();
      await ticking;
    };
  }

  /** Sends a reader every change from now on. Rejections come before the response starts. */
  async tell(reader: Reader, reply: FastifyReply, fail: Fail<'UNAVAILABLE'>): Promise<void> {
    const { id } = reader.tenant;
    const { revocations } = this.#dependencies;
    // A reader that has already disconnected would never release its place.
    if (reply.raw.destroyed) return void reply.hijack();
    const releaseSlot = this.#limiter.admit(id, reader.address, fail);
    reply.raw.once('close', releaseSlot);
    try {
      await revocations.freshen(revocations.of(id));
      if (this.#isEnding) fail('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    } catch (error) {
      reply.raw.off('close', releaseSlot);
      releaseSlot();
      throw error;
    }
    if (!beginLive(reply)) return;
    const connection = new Connection(reply.raw);
    const subscribers = this.#subscribersOf(id);
    reply.raw.once('close', () => this.#unsubscribe(subscribers, connection));
    await subscribers.subscribe(connection, reader.after);
  }

  /** Ends every stream, so readers reconnect to another node; accepts no new one. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(
      [...this.#subscribersByTenant.values()].map((subscribers) => subscribers.end(false)),
    );
  }

  #announce(payload: string): void {
    const tenantId = parseTenantId(payload);
    if (!tenantId) return;
    this.#dependencies.revocations.announce(tenantId);
    this.#subscribersByTenant.get(tenantId)?.ask();
  }

  async #tick(): Promise<void> {
    this.#beats += 1;
    const isBeat = this.#beats % BEAT_EVERY === 0;
    const outcomes = await Promise.allSettled(
      [...this.#subscribersByTenant.values()].map((subscribers) =>
        this.#attend(subscribers, isBeat),
      ),
    );
    const failed = outcomes.filter((one) => one.status === 'rejected');
    if (failed.length === 0) return;
    const err: unknown = failed[0]?.reason;
    this.#dependencies.log.warn({ err, tenants: failed.length }, 'status streams fall behind');
  }

  async #attend(subscribers: Subscribers, isBeat: boolean): Promise<void> {
    if (await this.#isOver(subscribers)) return;
    await this.#dependencies.revocations.refresh(subscribers.status);
    await subscribers.beat(isBeat);
  }

  /** Ends the streams of a tenant that was made inactive or deleted. */
  async #isOver(subscribers: Subscribers): Promise<boolean> {
    const { tenantId } = subscribers.status;
    const tenant = await this.#dependencies.directory.findById(tenantId);
    if (tenant?.isActive) return false;
    this.#drop(subscribers);
    await subscribers.end(true);
    return true;
  }

  #subscribersOf(tenantId: TenantId): Subscribers {
    const known = this.#subscribersByTenant.get(tenantId);
    if (known) return known;
    const { revocations, log } = this.#dependencies;
    const status = revocations.follow(tenantId);
    const subscribers = new Subscribers(
      status,
      revocations,
      new StatusSigner(tenantId, this.#dependencies),
      log,
    );
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
    this.#dependencies.revocations.letGo(subscribers.status);
  }
}
