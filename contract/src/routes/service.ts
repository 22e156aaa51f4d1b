import Type from 'typebox';
import { timestamp } from '../records/record-fields.ts';
import { TextLocale } from '../locale.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';
import { NOT_MODIFIED } from './fields.ts';

const Problem = Type.Object({
  code: Type.Enum(
    [
      'untrusted_proxy',
      'database_unreachable',
      'database_read_only',
      'database_rejects',
      'disk_full',
      'data_folder',
      'settings',
      'failover',
      'clock',
      'write_unconfirmed',
      'connections_stuck',
      'connections_used_up',
      'tables_locked',
    ],
    {
      description:
        'The problem. Logins still work on this node, as far as it knows, with `untrusted_proxy` (a proxy at an internal IP address sends `X-Forwarded-For` and is not in `KEYWRIGHT_TRUSTED_PROXIES`), with `tables_locked` (another transaction has locked tables or rows), with `connections_used_up`, and with `database_rejects` if logins do not need the rejected statement. With any other problem, logins fail and the status code is 503.',
    },
  ),
  detail: Type.String({
    description: 'The action that the operator should take.',
    examples: ['The disk of the database is full. Free space on it.'],
  }),
});

const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'draining'], {
      description: '`degraded`: there are `problems`. `draining`: the process is shutting down.',
    }),
    database: Type.Enum(['ok', 'unavailable'], {
      description:
        'Whether this node can use the database as logins do: a test write was committed within the last few seconds.',
    }),
    cache: Type.Enum(['ok', 'degraded'], {
      description:
        '`ok`: announcements of changes reach this process. `degraded`: they do not, as behind PgBouncer, and cached data is read again after half a second. Responses are correct in both cases.',
    }),
    timestamp: timestamp('Current time of the service (ISO 8601, UTC).'),
    problems: Type.Optional(
      Type.Array(Problem, {
        description: 'Problems that the operator must fix. Absent if there are none.',
      }),
    ),
  },
  { $id: 'Health', description: 'Whether the service can handle requests.' },
);

export const health = route({
  id: 'service.health',
  method: 'GET',
  path: '/health',
  access: 'open',
  summary: 'Check whether the service can handle requests',
  description:
    'For load balancers. Writes a row to the database, at most once per second no matter how many callers there are. A problem that all nodes share and that affects only some requests returns 200 with `problems`.',
  ok: { status: 200, body: Health },
  other: [
    {
      status: 503,
      description:
        'This node cannot use the database, the database accepts no writes, or the process is draining.',
      body: Health,
    },
  ],
  errors: [],
});

export const live = route({
  id: 'service.live',
  method: 'GET',
  path: '/livez',
  access: 'open',
  summary: 'Check whether the process runs',
  description: 'For supervisors that restart hung processes. Does not query the database.',
  ok: {
    status: 200,
    body: Type.Object({ status: Type.Literal('ok', { description: 'The process is running.' }) }),
  },
  errors: [],
});

export const openapi = route({
  id: 'service.openapi',
  method: 'GET',
  path: '/openapi.json',
  access: 'open',
  cors: 'any',
  summary: 'Get this contract as an OpenAPI 3.1 document',
  description: 'The same for all callers. It changes only with updates of the service.',
  ok: {
    status: 200,
    body: Type.Record(Type.String(), Type.Unknown(), {
      description: 'An OpenAPI 3.1 document.',
      examples: [{ openapi: '3.1.0', info: { title: 'Keywright', version: '1.0.0' }, paths: {} }],
    }),
  },
  other: [NOT_MODIFIED],
  errors: [],
});

export const root = route({
  id: 'service.root',
  method: 'GET',
  path: '/',
  access: 'tenant',
  errorForm: 'page',
  cookies: ['locale'],
  summary: 'Show the start page',
  description:
    'For browsers that open the URL of the service. Links to the console, the account page and this reference.',
  query: closed({ locale: Type.Optional(TextLocale) }),
  ok: {
    kind: 'html',
    status: 200,
    policy: { styles: true, images: true, fonts: true, forms: true },
  },
  errors: [],
});
