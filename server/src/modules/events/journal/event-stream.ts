import { type LiveConnection } from '../../../platform/http/live.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { presentEvent } from './events.ts';
import { type EventFilter, type EventRow, findEvents, type Place } from './events-store.ts';

/** How often the log is read, and the credential checked. */
const EVERY_MS = 1000;
/** Every so many times without an event, a comment shows that the connection works. */
const BEAT_EVERY = 10;
const BATCH = 100;
/** How soon a client comes back (HTML §9.2.6). */
const HELLO = 'retry: 2000\n\n';
const BEAT = ':\n\n';

/** Who reads a stream, and what. */
export interface EventReader {
  readonly data: TenantData;
  readonly filter: EventFilter;
  readonly connection: LiveConnection;
  /** After this event; undefined: from the beginning of the log. */
  readonly after: Place | undefined;
  readonly isStillAuthorized: () => Promise<boolean>;
}

/** Sends a reader each event of the log, one after the other, until it leaves or may no longer read. */
export class EventStream {
  readonly #reader: EventReader;
  #place: Place | undefined;
  #quiet = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(reader: EventReader) {
    this.#reader = reader;
    this.#place = reader.after;
  }

  /** Resolves when it has caught up for the first time. */
  begin(): Promise<void> {
    this.#reader.connection.write(HELLO);
    return this.#turn();
  }

  /** For a node that stops: the reader comes back to another one. */
  end(): void {
    clearTimeout(this.#timer);
    this.#reader.connection.end();
  }

  /** Without a database nothing is sent and nobody is known: the reader comes back later. */
  async #turn(): Promise<void> {
    const { connection, isStillAuthorized } = this.#reader;
    const isGood = await isStillAuthorized()
      .then((isStill) => isStill && this.#sendNew())
      .catch(() => false);
    if (!isGood) connection.end();
    if (!connection.isOpen) return;
    this.#timer = setTimeout(() => void this.#turn(), EVERY_MS).unref();
  }

  async #sendNew(): Promise<true> {
    const { connection } = this.#reader;
    for (let rows = await this.#read(); ; rows = await this.#read()) {
      for (const row of rows) connection.write(told(row));
      const { xid, id } = rows.at(-1) ?? this.#place ?? {};
      this.#place = xid !== undefined && id !== undefined ? { xid, id } : undefined;
      if (rows.length > 0) this.#quiet = 0;
      // A reader that does not keep up gets the rest with the next turns.
      if (rows.length < BATCH || connection.isBehind) break;
    }
    this.#quiet += 1;
    if (this.#quiet >= BEAT_EVERY) this.#beat();
    return true;
  }

  #read(): Promise<EventRow[]> {
    const { data, filter, connection } = this.#reader;
    if (!connection.isOpen) return Promise.resolve([]);
    return data.transaction((tx) => findEvents(tx, this.#place, filter, BATCH));
  }

  /** A reader that has not even taken what was sent ten seconds ago is gone. */
  #beat(): void {
    const { connection } = this.#reader;
    this.#quiet = 0;
    if (connection.isBehind) connection.cutOff();
    else connection.write(BEAT);
  }
}

function told(row: EventRow): string {
  return `id: ${row.id}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`;
}
