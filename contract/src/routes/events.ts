import Type from 'typebox';
import { EventRecord, EventTypeSchema } from '../events.ts';
import { type EventId, EventIdSchema } from '../ids.ts';
import { API_BASE, route } from '../route.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';

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
        description: 'The last received event; default: begin with the oldest.',
      }),
    ),
    type: Type.Optional(EventTypeSchema),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        ...LINE_OF_TEXT,
        description: 'Subject of the event: the id of a user, a session, an agent …',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Maximum number of events: default 20; above 100 counts as 100.',
      }),
    ),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      items: Type.Array(EventRecord, { description: 'The oldest first.' }),
      meta: Type.Object(
        {
          limit: Type.Integer({
            description: 'Maximum number of events in an answer.',
            examples: [20],
          }),
          has_more: Type.Boolean({
            description: 'Whether more events are available.',
            examples: [false],
          }),
        },
        { description: 'Position of the answer in the log.' },
      ),
    }),
  },
  errors: ['VALIDATION_FAILED', 'EVENT_UNKNOWN'],
});
