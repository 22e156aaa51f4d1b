import Type from 'typebox';
import { EventRecord, EventTypeSchema } from '../events.ts';
import { exampleOf } from '../example.ts';
import { type EventId, EventIdSchema } from '../ids.ts';
import { OF_TENANT } from '../list.ts';
import { API_BASE, route } from '../route.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';

const FILTERS = {
  type: Type.Optional(EventTypeSchema),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      ...LINE_OF_TEXT,
      description: 'Subject of the event: the ID of a user, session, agent or other record.',
    }),
  ),
};

const EXAMPLE = exampleOf(EventRecord) as EventRecord;

const EventStream = Type.String({
  description:
    'Server-sent events. The data of each is an `EventRecord` as JSON, and its ID is that of the event. A comment is sent every ten seconds.',
  examples: [`id: ${EXAMPLE.id}\ndata: ${JSON.stringify(EXAMPLE)}\n\n`],
});

export const listEvents = route({
  id: 'events.list',
  method: 'GET',
  path: `${API_BASE}/events`,
  access: { scope: 'read:events' },
  summary: 'List events',
  description:
    'Oldest first, kept for 30 days. To receive every event, poll with `after` set to the `id` of the last event you received. You do not miss events even if transactions overlap, because an event is listed only after all earlier ones.',
  query: closed({
    after: Type.Optional(
      Type.Unsafe<EventId>({
        ...EventIdSchema,
        description: 'ID of the last event you received. Default: start with the oldest event.',
      }),
    ),
    cursor: Type.Optional(
      Type.Unsafe<EventId>({
        ...EventIdSchema,
        description: 'The `meta.next_cursor` of the previous page. Takes precedence over `after`.',
      }),
    ),
    ...FILTERS,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Maximum number of events. Default: 20; maximum: 100. Larger values are treated as 100.',
      }),
    ),
    ...OF_TENANT,
  }),
  ok: {
    status: 200,
    body: Type.Object({
      items: Type.Array(EventRecord, { description: 'The events, oldest first.' }),
      meta: Type.Object(
        {
          limit: Type.Integer({
            description: 'Maximum number of events in a response.',
            examples: [20],
          }),
          has_more: Type.Boolean({
            description: 'Whether more events are available.',
            examples: [false],
          }),
          next_cursor: Type.Optional(
            Type.Unsafe<EventId>({
              ...EventIdSchema,
              description:
                'The `cursor` of the next page: the ID of the last event on this page. Absent on the last page; continue with `after` from there.',
            }),
          ),
        },
        {
          description:
            'Position of the page in the log. There is no `total` because the log keeps growing.',
        },
      ),
    }),
  },
  errors: ['VALIDATION_FAILED', 'EVENT_UNKNOWN'],
});

export const streamEvents = route({
  id: 'events.stream',
  method: 'GET',
  path: `${API_BASE}/events/stream`,
  access: { scope: 'read:events' },
  summary: 'Stream events',
  description:
    'Streams each event as it becomes visible, in the order of the log, starting with the next one. To resume after an event without missing any, send `Last-Event-ID`. The stream ends within two seconds after the credential becomes invalid or loses the scope. A node limits the number of connections in total, per tenant and per IP address. Over the limit, returns 503 with `Retry-After`.',
  query: closed({ ...FILTERS }),
  ok: { kind: 'stream', status: 200, body: EventStream, contentType: 'text/event-stream' },
  errors: ['VALIDATION_FAILED', 'EVENT_UNKNOWN', 'UNAVAILABLE'],
});
