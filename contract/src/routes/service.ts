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
        'The fault. Logins still work on this node, as far as it knows, with `untrusted_proxy` (a proxy at an internal address sends `X-Forwarded-For` and is not in `KEYWRIGHT_TRUSTED_PROXIES`), `tables_locked` (another transaction has locked tables or rows), `connections_used_up`, and `database_rejects` if logins do not need the rejected statement. Otherwise logins fail, and the status code is 503.',
    },
  ),
  detail: Type.String({
    description: 'What to do, for operators.',
    examples: ['The disk of the database is full. Free space on it.'],
  }),
});

const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'draining'], {
      description: '`degraded`: there are `problems`; `draining`: the process is shutting down.',
    }),
    database: Type.Enum(['ok', 'unavailable'], {
      description:
        'Whether this node can use the database as logins do: a test write was committed within the last few seconds.',
    }),
    cache: Type.Enum(['ok', 'degraded'], {
      description:
        '`ok`: announcements of changes reach this process. `degraded`: they do not, such as behind PgBouncer, and cached data is read again after half a second. Responses are correct either way.',
    }),
    timestamp: timestamp('The time of the service (ISO 8601, UTC).'),
    problems: Type.Optional(
      Type.Array(Problem, {
        description: 'What the operator must correct; absent if there is nothing.',
      }),
    ),
  },
  { $id: 'Health', description: 'Whether the service can take requests.' },
);

export const health = route({
  id: 'service.health',
  method: 'GET',
  path: '/health',
  access: 'open',
  summary: 'Whether the service can take requests',
  description:
    'For load balancers. Writes a row to the database, at most once a second regardless of the number of callers. A fault that all nodes share and that affects only some requests returns 200 with `problems`.',
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
  summary: 'Whether the process runs; does not query the database',
  description: 'For supervisors that restart hung processes.',
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
  summary: 'This contract as an OpenAPI 3.1 document',
  description: 'The same for all callers; changes only with updates of the service.',
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

export const reference = route({
  id: 'service.reference',
  method: 'GET',
  path: '/reference',
  access: 'open',
  errorForm: 'page',
  summary: 'This contract as a page',
  description: 'Returns a page that runs no scripts and loads nothing.',
  ok: { kind: 'html', status: 200, policy: { styles: true }, maxAgeSeconds: 300 },
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
  summary: 'The start page',
  description:
    'For browsers that open the URL of the service: links to the console, the account page and this reference.',
  query: closed({ locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: { styles: true, images: true, forms: true } },
  errors: [],
});
