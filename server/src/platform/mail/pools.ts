import type { Socket } from 'node:net';
import type { Egress } from '../egress/egress.ts';
import { EgressError } from '../egress/reasons.ts';
import type { Mail, MailServer } from './mail.ts';
import { type MailPool, openPool, PoolClosed } from './pool.ts';

/** Limits of one node. */
const MOST_CONNECTIONS = 64;
const CONNECTIONS_OF_A_TENANT = 4;
const CONNECTIONS_OF_THE_OPERATOR = 16;
/** Maximum time to wait for another connection to close. */
const WAIT_MS = 5000;

interface Kept {
  readonly pool: MailPool;
  /** Open, or being opened. */
  sockets: number;
}

/** All connections to mail servers, by party and settings. */
export class MailPools {
  readonly #egress: Egress;
  /** The name that this client sends to servers. */
  readonly #name: string;
  /** Least recently used first. */
  readonly #pools = new Map<string, Kept>();
  #sockets = 0;
  /** Waiting callers; one is called each time a connection closes. */
  #waiting: (() => void)[] = [];

  constructor(egress: Egress, name: string) {
    this.#egress = egress;
    this.#name = name;
  }

  /** @throws Error of nodemailer, or EgressError */
  async send(
    key: string,
    server: () => MailServer,
    mail: Mail,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      try {
        return await this.#get(key, server).send(mail, signal);
      } catch (error) {
        // The pool's connections were reassigned just before the email got one. Retrying with a new pool ends by the
        // timeout at the latest.
        if (!(error instanceof PoolClosed) || signal.aborted) throw error;
      }
    }
  }

  #get(key: string, server: () => MailServer): MailPool {
    const kept = this.#pools.get(key) ?? this.#open(key, server());
    this.#pools.delete(key);
    this.#pools.set(key, kept);
    return kept.pool;
  }

  close(): void {
    for (const [key, kept] of this.#pools) this.#forget(key, kept);
  }

  #open(key: string, server: MailServer): Kept {
    const pool = openPool({
      server,
      name: this.#name,
      ca: this.#egress.ca,
      most: server.isOperators ? CONNECTIONS_OF_THE_OPERATOR : CONNECTIONS_OF_A_TENANT,
      connect: () => this.#connect(server, kept),
      onUnused: () => this.#forget(key, kept),
    });
    const kept: Kept = { pool, sockets: 0 };
    return kept;
  }

  async #connect({ host, port, security, isOperators }: MailServer, kept: Kept): Promise<Socket> {
    if (this.#sockets >= MOST_CONNECTIONS && !this.#closeIdle()) await this.#oneClosed();
    this.#count(kept, 1);
    try {
      const isPlain = security === 'none';
      const socket = await this.#egress.connect({ host, port, isPlain, isOperators });
      socket.once('close', () => {
        this.#count(kept, -1);
      });
      return socket;
    } catch (error) {
      this.#count(kept, -1);
      throw error;
    }
  }

  #count(kept: Kept, by: number): void {
    this.#sockets += by;
    kept.sockets += by;
    if (by < 0) this.#waiting.shift()?.();
  }

  /**
   * Waits for a connection to close: connections are closing, or all have emails. @throws EgressError if none closes
   * in time
   */
  #oneClosed(): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== goOn);
        reject(new EgressError('too_busy'));
      }, WAIT_MS).unref();
      this.#waiting.push(goOn);
    });
  }

  /**
   * Closes the least recently used pool without emails, or with more connections than emails. Emails in progress are
   * sent before their connections close.
   */
  #closeIdle(): boolean {
    const all = [...this.#pools];
    const [key, kept] =
      all.find(([, { pool }]) => pool.mails() === 0) ??
      all.find(([, { pool, sockets }]) => pool.mails() < sockets) ??
      [];
    if (key === undefined || kept === undefined) return false;
    this.#forget(key, kept);
    return true;
  }

  #forget(key: string, kept: Kept): void {
    if (this.#pools.get(key) === kept) this.#pools.delete(key);
    kept.pool.close();
  }
}
