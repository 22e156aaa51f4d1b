import Type from 'typebox';
import { ActivitySpan } from '../records/activity.ts';
import { Moment } from '../records/moment.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { listAudit, listCheckpoints, listOwnLog } from './audit.ts';
import { listEvents, streamEvents } from './events.ts';
import { moment } from './fields.ts';
import { getNames } from './names.ts';

const INTERVALS = ['5m', 'hour', 'day'] as const;
const interval = (description: string) =>
  Type.Enum([...INTERVALS], { description, examples: ['hour'] });

export const listActivity = route({
  id: 'audit.list_activity',
  method: 'GET',
  path: `${API_BASE}/activity`,
  access: { scope: 'read:audit' },
  summary: 'Get the activity of the tenant',
  description:
    'Returns the number of logins, sessions, tokens, requests and deliveries: by five minutes or by hour for the last 48 hours, by day (UTC) for the last 90 days. Nodes save their counts every few seconds. A node that is killed loses its unsaved counts.',
  query: closed({
    interval: Type.Optional(interval('Length of a span. Default: `hour`.')),
    from: Type.Optional(moment('Only spans that end after this time (RFC 3339).')),
    to: Type.Optional(moment('Only spans that start before this time (RFC 3339).')),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      interval: interval('Length of a span.'),
      from: Type.Unsafe<string>({
        ...Moment,
        description: 'Start of the first span in the response.',
      }),
      to: Type.Unsafe<string>({
        ...Moment,
        description: 'End of the last span in the response.',
      }),
      spans: Type.Array(ActivitySpan, {
        description: 'Spans with activity, oldest first.',
      }),
    }),
  },
  errors: ['VALIDATION_FAILED'],
});

/** The routes of records that show what happened. */
export const EVIDENCE_ROUTES = [
  listEvents,
  streamEvents,
  listAudit,
  listOwnLog,
  listCheckpoints,
  getNames,
  listActivity,
] as const;
