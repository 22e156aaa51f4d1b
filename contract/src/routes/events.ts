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
      description: 'Subject of the event: the id of a user, a session, an agent …',
    }),
  ),
};

const EXAMPLE = exampleOf(EventRecord) as EventRecord;

const EventStream = Type.String({
  description:
    'Server-sent events: the data of each is an `EventRecord` as JSON, its id that of the event. A comment is sent every ten seconds.',
  examples: [`id: ${EXAMPLE.id}\ndata: ${JSON.stringify(EXAMPLE)}\n\n`],
});

export const listEvents = route({
  id: 'events.list',
  method: 'GET',
  path: `${API_BASE}/events`,
  access: { scope: 'read:events' },
  summary: 'Read the event log',
  description:
    'The oldest first, kept for 30 days. Polling with `after` set to the `id` of the last received event misses none, even if transactions overlap: an event is listed only once all previous ones are.',
  query: closed({
    after: Type.Optional(
      Type.Unsafe<EventId>({
        ...EventIdSchema,
        description: 'The last received event; default: start with the oldest.',
      }),
    ),
    cursor: Type.Optional(
      Type.Unsafe<EventId>({
        ...EventIdSchema,
        description: '`meta.next_cursor` of the previous page; takes precedence over `after`.',
      }),
    ),
    ...FILTERS,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Maximum number of events: default 20; above 100 counts as 100.',
      }),
    ),
    ...OF_TENANT,
  }),
  ok: {
    status: 200,
    body: Type.Object({
      items: Type.Array(EventRecord, { description: 'The oldest first.' }),
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
                'Value of `cursor` for the next page: the id of the last event of this one. Absent on the last page; from there, continue with `after`.',
            }),
          ),
        },
        {
          description:
            'Position of the page in the log, which has no `total` because it keeps growing.',
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
  summary: 'Follow the event log',
  description:
    'Streams each event as it becomes visible, in the order of the log; starts with the next one. `Last-Event-ID` resumes after an event and misses none. The stream ends within two seconds when the credential is no longer valid or lacks the scope. The number of connections to a node is limited, in total, per tenant and per address: beyond that 503 with `Retry-After`.',
  query: closed({ ...FILTERS }),
  ok: { kind: 'stream', status: 200, body: EventStream, contentType: 'text/event-stream' },
  errors: ['VALIDATION_FAILED', 'EVENT_UNKNOWN', 'UNAVAILABLE'],
});
