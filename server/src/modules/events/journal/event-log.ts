import type { Fail } from '@keywright/contract/errors';
import type { EventRecord } from '@keywright/contract/events';
import { parseEventId, type TenantId } from '@keywright/contract/ids';
import { DEFAULT_LIMIT, MAX_LIMIT } from '@keywright/contract/list';
import type { OkOf, QueryOf } from '@keywright/contract/route';
import type { listEvents } from '@keywright/contract/routes/events';
import type { FastifyReply } from 'fastify';
import { startLive, LiveConnection } from '../../../platform/http/live.ts';
import { ConnectionLimiter } from '../../../tenancy/connection-limiter.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import {
  type EventRow,
  findEvents,
  findPlace,
  type EventFilter,
  findEnd,
  type Place,
} from './events-store.ts';

/** How often the log is read, and the credential checked. */
const EVERY_MS = 1000;
/** After this many reads without an event, a comment shows that the connection works. */
const BEAT_EVERY = 10;
const BATCH = 100;
/** How soon a client reconnects (HTML §9.2.6). */
const HELLO = 'retry: 2000\n\n';
const BEAT = ':\n\n';
/** Each stream reads the database once a second. A tenant can open at most half of the streams. */
export const STREAM_LIMITS = { total: 200, perAddress: 50 };
const RETRY_AFTER_SECONDS = 1;

/** A request for the stream. */
export interface StreamRequest {
  readonly tenantId: TenantId;
  readonly filter: EventFilter;
  readonly address: string;
  /** Last-Event-ID. */
  readonly lastId: string | undefined;
  readonly isStillAuthorized: () => Promise<boolean>;
}

type Refuse = Fail<'EVENT_UNKNOWN' | 'UNAVAILABLE'>;

/** The log of events of a tenant: in pages, and as a stream on this node. */
export class EventLog {
  readonly #gate: Gate;
  readonly #limiter = new ConnectionLimiter(STREAM_LIMITS);
  readonly #open = new Set<EventStream>();
  #isEnding = false;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** A page of the log, oldest first, after the last event that the reader has. */
  list(
    tenantId: TenantId,
    query: QueryOf<typeof listEvents>,
    fail: Fail<'EVENT_UNKNOWN'>,
  ): Promise<OkOf<typeof listEvents>> {
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const after = query.cursor ?? query.after;
      const place = after && ((await findPlace(tx, after)) ?? fail('EVENT_UNKNOWN'));
      const rows = await findEvents(tx, place, query, limit + 1);
      const items = rows.slice(0, limit).map(presentEvent);
      const last = rows.length > limit ? items.at(-1) : undefined;
      const meta = { limit, has_more: last !== undefined, ...(last && { next_cursor: last.id }) };
      return { items, meta };
    });
  }

  /** Streams the log to a reader. Rejections come before the response starts. */
  async stream(request: StreamRequest, reply: FastifyReply, fail: Refuse): Promise<void> {
    // A reader that has already disconnected would never release its place.
    if (reply.raw.destroyed) return void reply.hijack();
    const release = this.#limiter.admit(request.tenantId, request.address, fail);
    reply.raw.once('close', release);
    try {
      if (this.#isEnding) fail('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      const data = this.#gate.into(request.tenantId);
      const after = await placeOf(data, request.lastId, fail);
      if (!startLive(reply)) return;
      const stream = new EventStream(data, request, new LiveConnection(reply.raw), after);
      this.#open.add(stream);
      reply.raw.once('close', () => {
        stream.end();
        this.#open.delete(stream);
      });
      await stream.start();
    } catch (error) {
      reply.raw.off('close', release);
      release();
      throw error;
    }
  }

  /** Ends all streams, so that shutdown does not wait for them, and accepts no new ones. */
  endStreams(): void {
    this.#isEnding = true;
    for (const stream of this.#open) stream.end();
  }
}

/** The event that a stream starts after: the requested one, or the last of the log. */
function placeOf(data: TenantData, lastId: string | undefined, fail: Refuse) {
  return data.transaction(async (tx) => {
    if (lastId === undefined) return findEnd(tx);
    const id = parseEventId(lastId) ?? fail('EVENT_UNKNOWN');
    return (await findPlace(tx, id)) ?? fail('EVENT_UNKNOWN');
  });
}

/** Sends a reader each event of the log in order, until the reader disconnects or is no longer authorized. */
class EventStream {
  readonly #data: TenantData;
  readonly #request: Pick<StreamRequest, 'filter' | 'isStillAuthorized'>;
  readonly #connection: LiveConnection;
  #place: Place | undefined;
  #quiet = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param after the event to start after; undefined for the start of the log */
  constructor(
    data: TenantData,
    request: Pick<StreamRequest, 'filter' | 'isStillAuthorized'>,
    connection: LiveConnection,
    after: Place | undefined,
  ) {
    this.#data = data;
    this.#request = request;
    this.#connection = connection;
    this.#place = after;
  }

  /** Starts the stream. Resolves when it has caught up for the first time. */
  start(): Promise<void> {
    this.#connection.write(HELLO);
    return this.#poll();
  }

  /** Ends the stream when the node stops. The reader reconnects to another node. */
  end(): void {
    clearTimeout(this.#timer);
    this.#connection.end();
  }

  /** Without a database, no event can be sent and no credential checked, so the reader reconnects later. */
  async #poll(): Promise<void> {
    const isGood = await this.#request
      .isStillAuthorized()
      .then((isStill) => isStill && this.#sendNew())
      .catch(() => false);
    if (!isGood) this.#connection.end();
    if (!this.#connection.isOpen) return;
    this.#timer = setTimeout(() => void this.#poll(), EVERY_MS).unref();
  }

  async #sendNew(): Promise<true> {
    for (let rows = await this.#read(); ; rows = await this.#read()) {
      for (const row of rows) this.#connection.write(frameOf(row));
      const { xid, id } = rows.at(-1) ?? this.#place ?? {};
      this.#place = xid !== undefined && id !== undefined ? { xid, id } : undefined;
      if (rows.length > 0) this.#quiet = 0;
      // A slow reader gets the rest in the next turns.
      if (rows.length < BATCH || this.#connection.isBehind) break;
    }
    this.#quiet += 1;
    if (this.#quiet >= BEAT_EVERY) this.#beat();
    return true;
  }

  #read(): Promise<EventRow[]> {
    if (!this.#connection.isOpen) return Promise.resolve([]);
    const { filter } = this.#request;
    return this.#data.transaction((tx) => findEvents(tx, this.#place, filter, BATCH));
  }

  /** Disconnects a reader that has not yet received what was written ten seconds ago. */
  #beat(): void {
    this.#quiet = 0;
    if (this.#connection.isBehind) this.#connection.cutOff();
    else this.#connection.write(BEAT);
  }
}

function frameOf(row: EventRow): string {
  return `id: ${row.id}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`;
}

function presentEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    type: row.type as EventRecord['type'],
    created_at: row.created_at.toISOString(),
    data: row.data as EventRecord['data'],
  };
}
