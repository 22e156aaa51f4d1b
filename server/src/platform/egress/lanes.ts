import type { SecureContext } from 'node:tls';
import { Pool } from 'undici';
import { openSocket } from './connect.ts';
import type { JudgedUrl } from './guard.ts';
import type { Names } from './names.ts';
import { EgressError } from './reasons.ts';

export interface EgressLimits {
  /** Calls under way, and those to one origin on one's behalf; more are refused as too_busy. */
  readonly calls: number;
  readonly callsPerOrigin: number;
  /** Open sockets. At the limit an idle one gives way; the calls of one origin beyond its sockets wait for them. */
  readonly sockets: number;
  readonly socketsPerOrigin: number;
  /** From the question to DNS to the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  /** A connection takes no further call after this: names and settings that changed count by then. */
  readonly connectionLifeMs: number;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_WIRE_BYTES = 4 * 1024 * 1024;
/** Less than the five seconds after which many servers close: a call on a closing connection is lost. */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 30_000;

/** The connections to one origin on somebody's behalf, and how much is under way on them. */
export interface Lane {
  readonly key: string;
  readonly pool: Pool;
  calls: number;
  sockets: number;
}

/** All connections, by origin and on whose behalf. A lane without calls and sockets is forgotten. */
export class Lanes {
  readonly #names: Names;
  readonly #secureContext: SecureContext;
  readonly #limits: EgressLimits;
  /** The least recently used first. */
  readonly #lanes = new Map<string, Lane>();
  #calls = 0;
  #sockets = 0;

  constructor(names: Names, secureContext: SecureContext, limits: EgressLimits) {
    this.#names = names;
    this.#secureContext = secureContext;
    this.#limits = limits;
  }

  /** A place in the lane of the URL, to be left again; nothing when there is none. */
  enter(url: JudgedUrl, onBehalfOf = ''): Lane | undefined {
    if (this.#calls >= this.#limits.calls) return undefined;
    const key = `${url.origin} ${onBehalfOf}`;
    const lane = this.#lanes.get(key) ?? this.#open(key, url);
    if (lane.calls >= this.#limits.callsPerOrigin) return undefined;
    this.#lanes.delete(lane.key);
    this.#lanes.set(lane.key, lane);
    lane.calls += 1;
    this.#calls += 1;
    return lane;
  }

  leave(lane: Lane): void {
    lane.calls -= 1;
    this.#calls -= 1;
    this.#forgetUnused(lane);
  }

  async close(): Promise<void> {
    const pools = [...this.#lanes.values()].map(({ pool }) => pool);
    await Promise.all(pools.map((pool) => pool.destroy(new EgressError('closed'))));
  }

  #open(key: string, { origin, destination }: JudgedUrl): Lane {
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
      // An exchange limits its time itself, as a whole.
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
        lane.sockets += 1;
        socket.once('close', () => {
          this.#sockets -= 1;
          lane.sockets -= 1;
          this.#forgetUnused(lane);
        });
      },
    });
    const lane: Lane = { key, pool, calls: 0, sockets: 0 };
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Gives up the connections of the lane that has been idle for longest. */
  #closeIdle(): boolean {
    for (const lane of this.#lanes.values()) {
      if (lane.calls === 0) {
        this.#forget(lane);
        return true;
      }
    }
    return false;
  }

  #forgetUnused(lane: Lane): void {
    if (lane.calls === 0 && lane.sockets === 0) this.#forget(lane);
  }

  #forget(lane: Lane): void {
    if (this.#lanes.get(lane.key) !== lane) return;
    this.#lanes.delete(lane.key);
    void lane.pool.destroy();
  }
}
