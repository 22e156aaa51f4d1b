import Type from 'typebox';
import { route } from '../route.ts';

const Part = Type.Enum(['ok', 'unavailable']);

const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'draining']),
    database: Part,
    cache: Part,
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'Health' },
);

export const health = route({
  id: 'service.health',
  method: 'GET',
  path: '/health',
  access: 'open',
  summary: 'Whether the service can take requests',
  ok: { status: 200, body: Health },
  other: [
    {
      status: 503,
      description: 'The database does not answer, or the process is draining.',
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
  summary: 'Whether the process runs; never touches the database',
  ok: { status: 200, body: Type.Object({ status: Type.Literal('ok') }) },
  errors: [],
});

export const openapi = route({
  id: 'service.openapi',
  method: 'GET',
  path: '/openapi.json',
  access: 'open',
  cors: 'any',
  summary: 'This contract as an OpenAPI 3.1 document',
  ok: { status: 200, body: Type.Record(Type.String(), Type.Unknown()) },
  errors: [],
});
