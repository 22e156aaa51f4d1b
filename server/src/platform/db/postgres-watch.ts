import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Watch } from './database.ts';
import { isPooled } from './pooler.ts';

/** How often the connection proves itself by hearing its own voice. */
const BEAT_MS = 1000;
/** After this long without, announcements are taken to be lost: a pooler or a network may swallow them. */
const SILENCE_MS = 2500;

interface Hearer {
  readonly onMessage: (payload: string) => void;
  /** Announcements may have been missed. */
  readonly onGap: () => void;
  readonly onError: (error: Error) => void;
  /** There will be no announcements. */
  readonly onPooled: () => void;
}

/**
 * Listens on a connection of its own, and connects again when it breaks. Behind a pooler it hears nothing, and does
 * not try: now and then it might hear its own voice, and take that for a sign that it hears everything.
 */
export class PostgresWatch implements Watch {
  readonly #connection: pg.ClientConfig;
  readonly #channel: string;
  readonly #hearer: Hearer;
  readonly #voice = `beat ${randomUUID()}`;
  readonly #timer: NodeJS.Timeout;
  #client: pg.Client | undefined;
  #isConnecting = false;
  #isDeaf = false;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(connection: pg.ClientConfig, channel: string, hearer: Hearer) {
    this.#connection = connection;
    this.#channel = channel;
    this.#hearer = hearer;
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#timer.unref();
    void this.#beat();
  }

  isHeard(): boolean {
    return performance.now() - this.#heardAt < SILENCE_MS;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#client?.end();
  }

  async #beat(): Promise<void> {
    if (this.#isDeaf) return;
    try {
      if (!this.#client) await this.#connect();
      await this.#client?.query('SELECT pg_notify($1, $2)', [this.#channel, this.#voice]);
    } catch (error) {
      this.#drop();
      this.#hearer.onError(error as Error);
    }
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    try {
      const application_name = `keywright watch of ${this.#channel}`;
      const client = new pg.Client({ ...this.#connection, application_name });
      client.on('notification', ({ payload = '' }) => this.#hear(payload));
      client.on('error', (error) => {
        this.#drop();
        this.#hearer.onError(error);
      });
      client.on('end', () => this.#drop());
      await client.connect();
      if (await isPooled(client)) {
        this.#becomeDeaf();
        await client.end();
        return;
      }
      await client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`);
      this.#client = client;
    } finally {
      this.#isConnecting = false;
    }
  }

  #becomeDeaf(): void {
    this.#isDeaf = true;
    clearInterval(this.#timer);
    this.#hearer.onPooled();
  }

  #hear(payload: string): void {
    if (payload !== this.#voice) {
      if (!payload.startsWith('beat ')) this.#hearer.onMessage(payload);
      return;
    }
    // Whatever was announced while nothing was heard is unknown.
    if (!this.isHeard()) this.#hearer.onGap();
    this.#heardAt = performance.now();
  }

  #drop(): void {
    this.#client = undefined;
    this.#heardAt = Number.NEGATIVE_INFINITY;
  }
}
