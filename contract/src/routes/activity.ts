import Type from 'typebox';
import { ActivitySpan } from '../records/activity.ts';
import { Moment } from '../records/moment.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { listAudit, listCheckpoints, listOwnLog } from './audit.ts';
import { listEvents, streamEvents } from './events.ts';
import { moment } from './fields.ts';

const INTERVALS = ['5m', 'hour', 'day'] as const;
const interval = (description: string) =>
  Type.Enum([...INTERVALS], { description, examples: ['hour'] });

export const listActivity = route({
  id: 'audit.list_activity',
  method: 'GET',
  path: `${API_BASE}/activity`,
  access: { scope: 'read:audit' },
  summary: 'Read the activity of the tenant',
  description:
    'How many logins, sessions, tokens, requests and deliveries there were. By five minutes or hours for the last 48 hours, by days (UTC) for the last 90 days. A node writes its counts every few seconds; if it is killed, it loses those that it has not written.',
  query: closed({
    interval: Type.Optional(interval('Length of a span; default: `hour`.')),
    from: Type.Optional(moment('Spans that end after this time (RFC 3339).')),
    to: Type.Optional(moment('Spans that start before this time (RFC 3339).')),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      interval: interval('Length of a span.'),
      from: Type.Unsafe<string>({
        ...Moment,
        description: 'Start of the first span that the response covers.',
      }),
      to: Type.Unsafe<string>({
        ...Moment,
        description: 'End of the last span that the response covers.',
      }),
      spans: Type.Array(ActivitySpan, {
        description: 'The oldest first. Spans in which nothing happened are left out.',
      }),
    }),
  },
  errors: ['VALIDATION_FAILED'],
});

/** What tells what happened. */
export const EVIDENCE_ROUTES = [
  listEvents,
  streamEvents,
  listAudit,
  listOwnLog,
  listCheckpoints,
  listActivity,
] as const;
