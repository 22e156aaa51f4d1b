import type { Fail } from '@keywright/contract/errors';
import { parseEventId } from '@keywright/contract/ids';
import type { FastifyReply } from 'fastify';
import { beginLive, LiveConnection } from '../../../platform/http/live.ts';
import { ConnectionLimiter } from '../../../tenancy/connection-limiter.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { type EventReader, EventStream } from './event-stream.ts';
import { type EventFilter, findEnd, findPlace } from './events-store.ts';

/** Each reads the database once a second. A tenant has at most half of them. */
const LIMITS = { total: 200, perAddress: 50 };
const RETRY_AFTER_SECONDS = 1;

/** A request for the stream. */
export interface Asked extends Pick<EventReader, 'data' | 'isStillAuthorized'> {
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
