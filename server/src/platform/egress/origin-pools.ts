import type { SecureContext } from 'node:tls';
import { Pool } from 'undici';
import { openSocket } from './connect.ts';
import type { JudgedUrl } from './address-rules.ts';
import type { Names } from './names.ts';
import { EgressError } from './reasons.ts';

export interface EgressLimits {
  /** Concurrent calls in total, and to one origin on behalf of one party; further calls are rejected as too_busy. */
  readonly calls: number;
  readonly callsPerOrigin: number;
  /** Open sockets. At the limit, an idle socket is closed; calls to one origin queue for its sockets. */
  readonly sockets: number;
  readonly socketsPerOrigin: number;
  /** Covers the time from the DNS query to the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  /** A connection takes no further calls after this, so that changed DNS records and settings take effect. */
  readonly connectionLifeMs: number;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_WIRE_BYTES = 4 * 1024 * 1024;
/**
 * Less than the five seconds after which many servers close idle connections: a call on a closing connection is lost.
 */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 30_000;

/** The connections to one origin on behalf of one party, with the calls and sockets in use. */
export interface OriginPool {
  readonly key: string;
  readonly pool: Pool;
  calls: number;
  sockets: number;
}

/** All connections, by origin and by the party they serve. A pool without calls and sockets is dropped. */
export class OriginPools {
  readonly #names: Names;
  readonly #secureContext: () => SecureContext;
  readonly #limits: EgressLimits;
  /** Least recently used first. */
  readonly #pools = new Map<string, OriginPool>();
  #calls = 0;
  #sockets = 0;

  constructor(names: Names, secureContext: () => SecureContext, limits: EgressLimits) {
    this.#names = names;
    this.#secureContext = secureContext;
    this.#limits = limits;
  }

  /** Reserves a call in the pool of the URL's origin, to be released with `leave`; returns undefined at a limit. */
  enter(url: JudgedUrl, onBehalfOf = ''): OriginPool | undefined {
    if (this.#calls >= this.#limits.calls) return undefined;
    const key = `${url.origin} ${onBehalfOf}`;
    const originPool = this.#pools.get(key) ?? this.#open(key, url);
    if (originPool.calls >= this.#limits.callsPerOrigin) return undefined;
    this.#pools.delete(originPool.key);
    this.#pools.set(originPool.key, originPool);
    originPool.calls += 1;
    this.#calls += 1;
    return originPool;
  }

  release(originPool: OriginPool): void {
    originPool.calls -= 1;
    this.#calls -= 1;
    this.#forgetUnused(originPool);
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()].map(({ pool }) => pool);
    await Promise.all(pools.map((pool) => pool.destroy(new EgressError('closed'))));
  }

  #open(key: string, { origin, destination }: JudgedUrl): OriginPool {
    const lookup = this.#names.lookupOf(destination);
    const { socketsPerOrigin, connectionLifeMs, connectTimeoutMs } = this.#limits;
    const options = {
      secureContext: this.#secureContext,
      lookup,
      connectTimeoutMs,
      maxWireBytes: MAX_WIRE_BYTES,
    };
    const pool = new Pool(origin, {
      connections: socketsPerOrigin,
      clientTtl: connectionLifeMs,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // An exchange has its own timeout for the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: (_options, done) => {
        if (this.#sockets >= this.#limits.sockets && !this.#closeIdle()) {
          queueMicrotask(() => done(new EgressError('too_busy'), null));
          return;
        }
        const socket = openSocket(destination, options, done);
        this.#sockets += 1;
        originPool.sockets += 1;
        socket.once('close', () => {
          this.#sockets -= 1;
          originPool.sockets -= 1;
          this.#forgetUnused(originPool);
        });
      },
    });
    const originPool: OriginPool = { key, pool, calls: 0, sockets: 0 };
    this.#pools.set(key, originPool);
    return originPool;
  }

  /** Closes the connections of the least recently used idle pool. */
  #closeIdle(): boolean {
    for (const originPool of this.#pools.values()) {
      if (originPool.calls === 0) {
        this.#forget(originPool);
        return true;
      }
    }
    return false;
  }

  #forgetUnused(originPool: OriginPool): void {
    if (originPool.calls === 0 && originPool.sockets === 0) this.#forget(originPool);
  }

  #forget(originPool: OriginPool): void {
    if (this.#pools.get(originPool.key) !== originPool) return;
    this.#pools.delete(originPool.key);
    void originPool.pool.destroy();
  }
}
