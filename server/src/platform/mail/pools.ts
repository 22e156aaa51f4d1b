import { type Socket, isIP } from 'node:net';
import { type SMTPPoolOptions, createTransport } from 'nodemailer';
import type { Egress } from '../egress/egress.ts';
import { EgressError } from '../egress/reasons.ts';
import type { Mail, MailServer } from './mail.ts';

/** Limits of one node. */
const MOST_CONNECTIONS = 64;
const CONNECTIONS_OF_A_TENANT = 4;
const CONNECTIONS_OF_THE_OPERATOR = 16;
/** Maximum time to wait for another connection to close. */
const WAIT_MS = 5000;

interface PoolEntry {
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
  readonly #pools = new Map<string, PoolEntry>();
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
    const entry = this.#pools.get(key) ?? this.#open(key, server());
    this.#pools.delete(key);
    this.#pools.set(key, entry);
    return entry.pool;
  }

  close(): void {
    for (const [key, entry] of this.#pools) this.#forget(key, entry);
  }

  #open(key: string, server: MailServer): PoolEntry {
    const pool = openPool({
      server,
      name: this.#name,
      ca: this.#egress.ca,
      most: server.isOperators ? CONNECTIONS_OF_THE_OPERATOR : CONNECTIONS_OF_A_TENANT,
      connect: () => this.#connect(server, created),
      onUnused: () => this.#forget(key, created),
    });
    const created: PoolEntry = { pool, sockets: 0 };
    return created;
  }

  async #connect(
    { host, port, security, isOperators }: MailServer,
    entry: PoolEntry,
  ): Promise<Socket> {
    if (this.#sockets >= MOST_CONNECTIONS && !this.#closeIdle()) await this.#socketClosed();
    this.#count(entry, 1);
    try {
      const isPlain = security === 'none';
      const socket = await this.#egress.connect({ host, port, isPlain, isOperators });
      socket.once('close', () => {
        this.#count(entry, -1);
      });
      return socket;
    } catch (error) {
      this.#count(entry, -1);
      throw error;
    }
  }

  #count(entry: PoolEntry, by: number): void {
    this.#sockets += by;
    entry.sockets += by;
    if (by < 0) this.#waiting.shift()?.();
  }

  /**
   * Waits for a connection to close: connections are closing, or all have emails. @throws EgressError if none closes
   * in time
   */
  #socketClosed(): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiter) => waiter !== goOn);
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
    const [key, entry] =
      all.find(([, { pool }]) => pool.mails() === 0) ??
      all.find(([, { pool, sockets }]) => pool.mails() < sockets) ??
      [];
    if (key === undefined || entry === undefined) return false;
    this.#forget(key, entry);
    return true;
  }

  #forget(key: string, entry: PoolEntry): void {
    if (this.#pools.get(key) === entry) this.#pools.delete(key);
    entry.pool.close();
  }
}

const IDLE_MS = 20_000;
/** A connection is closed after this many emails, so that changed DNS records take effect. */
const MAILS_OF_A_CONNECTION = 100;
/** Maximum size of a server's response. */
const MAX_ANSWER_BYTES = 16 * 1024;

interface PoolOptions {
  readonly server: MailServer;
  /** The name that the client sends to the server. */
  readonly name: string;
  readonly ca: string | undefined;
  /** Maximum number of connections. */
  readonly most: number;
  readonly connect: () => Promise<Socket>;
  /** Called when the last connection of a pool without emails has closed. */
  readonly onUnused: () => void;
}

/** The pool was closed before the email had a connection: nothing was sent. */
class PoolClosed extends Error {}
/** The message of nodemailer's error, which has no code of its own. */
const CLOSED = 'Connection pool was closed';

/** Connections to one server, with one login. */
export interface MailPool {
  /** @throws Error of nodemailer, EgressError, or PoolClosed */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Number of emails that are being sent or wait for a connection. */
  mails(): number;
  /** Emails that already have a connection are still sent. */
  close(): void;
}

function openPool(options: PoolOptions): MailPool {
  let mails = 0;
  const transport = createTransport(settingsOf(options));
  // Ignores errors of idle connections; errors of emails are thrown.
  transport.on('error', () => undefined);
  transport.on('clear', () => {
    if (mails === 0) options.onUnused();
  });
  return {
    async send(mail, signal) {
      mails += 1;
      try {
        await transport.sendMail({ ...messageOf(mail), signal });
      } catch (error) {
        throw error instanceof Error && error.message === CLOSED ? new PoolClosed() : error;
      } finally {
        mails -= 1;
      }
    },
    mails: () => mails,
    close: () => transport.close(),
  };
}

function settingsOf({ server, name, ca, most, connect }: PoolOptions) {
  const { host, port, security, username, password } = server;
  const settings: SMTPPoolOptions & { readonly pool: true } = {
    pool: true,
    host,
    port,
    name,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // RFC 6066 §3: an IP address is not a server name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    },
    ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
    maxConnections: most,
    maxMessages: MAILS_OF_A_CONNECTION,
    // The queue retries instead: the server may have received the email before the connection broke.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, done) => {
      connect().then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(error as Error),
      );
    },
  };
  return settings;
}

function messageOf({ messageId, date, from, to, replyTo, subject, text, html }: Mail) {
  return {
    messageId,
    date,
    from,
    // An object, since a string would be parsed as a list.
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}
