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
  summary: 'Read the log of events',
  description:
    'The oldest first, kept for 30 days. Whoever asks again with the `id` of the last event that they have as `after` misses none, however transactions overlap: an event is shown once all those before it are.',
  query: closed({
    after: Type.Optional(
      Type.Unsafe<EventId>({
        ...EventIdSchema,
        description: 'The last event that the caller has; without it the oldest one kept is first.',
      }),
    ),
    type: Type.Optional(EventTypeSchema),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        ...LINE_OF_TEXT,
        description: 'What the event is about: the id of a user, a session, an agent …',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many events at the most: default 20; above 100 is taken as 100.',
      }),
    ),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      items: Type.Array(EventRecord, { description: 'The oldest first.' }),
      meta: Type.Object(
        {
          limit: Type.Integer({ description: 'How many one answer holds.', examples: [20] }),
          has_more: Type.Boolean({
            description: 'Whether more events are there already.',
            examples: [false],
          }),
        },
        { description: 'Where the answer stands in the log.' },
      ),
    }),
  },
  errors: ['VALIDATION_FAILED', 'EVENT_UNKNOWN'],
});
