import type { Socket } from 'node:net';
import type { Egress } from '../egress/egress.ts';
import { EgressError } from '../egress/reasons.ts';
import type { MailServer } from './mail.ts';
import { type MailPool, openPool } from './pool.ts';

/** Limits of one node. */
const MOST_CONNECTIONS = 64;
const CONNECTIONS_OF_A_TENANT = 4;
const CONNECTIONS_OF_THE_OPERATOR = 16;

/** All connections to mail servers, by party and settings. */
export class MailPools {
  readonly #egress: Egress;
  /** The name that this client gives. */
  readonly #name: string;
  /** The least recently used first. */
  readonly #pools = new Map<string, MailPool>();
  #sockets = 0;

  constructor(egress: Egress, name: string) {
    this.#egress = egress;
    this.#name = name;
  }

  get(key: string, server: () => MailServer): MailPool {
    const pool = this.#pools.get(key) ?? this.#open(key, server());
    this.#pools.delete(key);
    this.#pools.set(key, pool);
    return pool;
  }

  close(): void {
    for (const [key, pool] of this.#pools) this.#forget(key, pool);
  }

  #open(key: string, server: MailServer): MailPool {
    const pool = openPool({
      server,
      name: this.#name,
      ca: this.#egress.ca,
      most: server.isOperators ? CONNECTIONS_OF_THE_OPERATOR : CONNECTIONS_OF_A_TENANT,
      connect: () => this.#connect(server),
      onUnused: () => this.#forget(key, pool),
    });
    return pool;
  }

  async #connect({ host, port, security, isOperators }: MailServer): Promise<Socket> {
    if (this.#sockets >= MOST_CONNECTIONS && !this.#closeIdle()) throw new EgressError('too_busy');
    this.#sockets += 1;
    try {
      const isPlain = security === 'none';
      const socket = await this.#egress.connect({ host, port, isPlain, isOperators });
      socket.once('close', () => {
        this.#sockets -= 1;
      });
      return socket;
    } catch (error) {
      this.#sockets -= 1;
      throw error;
    }
  }

  /** Closes the least recently used pool without mails. */
  #closeIdle(): boolean {
    for (const [key, pool] of this.#pools) {
      if (pool.isBusy()) continue;
      this.#forget(key, pool);
      return true;
    }
    return false;
  }

  #forget(key: string, pool: MailPool): void {
    if (this.#pools.get(key) === pool) this.#pools.delete(key);
    pool.close();
  }
}
