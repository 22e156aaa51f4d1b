import type { Fail } from '@keywright/contract/errors';
import type { EventRecord } from '@keywright/contract/events';
import { parseEventId } from '@keywright/contract/ids';
import { DEFAULT_LIMIT, MAX_LIMIT } from '@keywright/contract/list';
import type { OkOf, QueryOf } from '@keywright/contract/route';
import type { listEvents } from '@keywright/contract/routes/events';
import type { FastifyReply } from 'fastify';
import { beginLive, LiveConnection } from '../../../platform/http/live.ts';
import { ConnectionLimiter } from '../../../tenancy/connection-limiter.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import {
  type EventRow,
  findEvents,
  findPlace,
  type EventFilter,
  findEnd,
  type Place,
} from './events-store.ts';

/** A page of the log of events, oldest first, after the reader's last one. */
export function readEvents(
  tenant: TenantData,
  query: QueryOf<typeof listEvents>,
  fail: Fail<'EVENT_UNKNOWN'>,
): Promise<OkOf<typeof listEvents>> {
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  return tenant.transaction(async (tx) => {
    const after = query.cursor ?? query.after;
    const place = after && ((await findPlace(tx, after)) ?? fail('EVENT_UNKNOWN'));
    const rows = await findEvents(tx, place, query, limit + 1);
    const items = rows.slice(0, limit).map(presentEvent);
    const last = rows.length > limit ? items.at(-1) : undefined;
    const meta = { limit, has_more: last !== undefined, ...(last && { next_cursor: last.id }) };
    return { items, meta };
  });
}

function presentEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    type: row.type as EventRecord['type'],
    created_at: row.created_at.toISOString(),
    data: row.data as EventRecord['data'],
  };
}

/** Each reads the database once a second. A tenant has at most half of them. */
const LIMITS = { total: 200, perAddress: 50 };
const RETRY_AFTER_SECONDS = 1;

/** A request for the stream. */
interface Asked extends Pick<EventReader, 'data' | 'isStillAuthorized'> {
  readonly filter: EventFilter;
  readonly address: string;
  /** Last-Event-ID. */
  readonly lastId: string | undefined;
}

type Refuse = Fail<'EVENT_UNKNOWN' | 'UNAVAILABLE'>;

/** The readers of event logs on this node, of all tenants. */
export class EventStreams {
  readonly #limiter = new ConnectionLimiter(LIMITS);
  readonly #open = new Set<EventStream>();
  #isEnding = false;

  /** Rejections come before the answer starts. */
  async tell(asked: Asked, reply: FastifyReply, fail: Refuse): Promise<void> {
    const { data, address, filter, isStillAuthorized } = asked;
    // A reader that has already disconnected would never release its place.
    if (reply.raw.destroyed) return void reply.hijack();
    const release = this.#limiter.admit(data.tenantId, address, fail);
    reply.raw.once('close', release);
    try {
      if (this.#isEnding) fail('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      const after = await placeOf(data, asked.lastId, fail);
      if (!beginLive(reply)) return;
      const connection = new LiveConnection(reply.raw);
      const stream = new EventStream({ data, filter, connection, after, isStillAuthorized });
      this.#open.add(stream);
      reply.raw.once('close', () => {
        stream.end();
        this.#open.delete(stream);
      });
      await stream.begin();
    } catch (error) {
      reply.raw.off('close', release);
      release();
      throw error;
    }
  }

  /** Ends every stream, so that shutdown does not wait for them; accepts no new one. */
  end(): void {
    this.#isEnding = true;
    for (const stream of this.#open) stream.end();
  }
}

function placeOf(data: TenantData, lastId: string | undefined, fail: Refuse) {
  return data.transaction(async (tx) => {
    if (lastId === undefined) return findEnd(tx);
    const id = parseEventId(lastId) ?? fail('EVENT_UNKNOWN');
    return (await findPlace(tx, id)) ?? fail('EVENT_UNKNOWN');
  });
}

/** How often the log is read, and the credential checked. */
const EVERY_MS = 1000;
/** Every so many times without an event, a comment shows that the connection works. */
const BEAT_EVERY = 10;
const BATCH = 100;
/** How soon a client comes back (HTML §9.2.6). */
const HELLO = 'retry: 2000\n\n';
const BEAT = ':\n\n';

/** Who reads a stream, and what. */
interface EventReader {
  readonly data: TenantData;
  readonly filter: EventFilter;
  readonly connection: LiveConnection;
  /** After this event; undefined: from the beginning of the log. */
  readonly after: Place | undefined;
  readonly isStillAuthorized: () => Promise<boolean>;
}

/** Sends a reader each event of the log, one after the other, until it leaves or may no longer read. */
class EventStream {
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
