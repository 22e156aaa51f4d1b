import Type from 'typebox';
import { timestamp, timestampOrNull } from './record-fields.ts';

const Node = Type.Object(
  {
    node_id: Type.String({
      description: 'Random, and new at each start.',
      examples: ['0b6f1f0e-5f0a-4c5b-9a4c-0c8a5f6a7f10'],
    }),
    host: Type.String({
      description: 'Name of the machine or container of the node.',
      examples: ['keywright-7d9f'],
    }),
    version: Type.String({
      description: 'Version of the service on the node.',
      examples: ['0.1.0'],
    }),
    processes: Type.Integer({
      minimum: 1,
      description: 'Number of processes that share the port of the node (`KEYWRIGHT_WORKERS`).',
      examples: [4],
    }),
    started_at: timestamp('When it started (ISO 8601, UTC).'),
    seen_at: timestamp('When it last renewed its lease, which it does every five minutes.'),
  },
  { $id: 'InstallationNode', description: 'A running node.' },
);

const Queue = Type.Object(
  {
    name: Type.Enum(['webhooks', 'messages', 'logouts', 'signals', 'exports'], {
      description: 'Kind of work.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Number of waiting items, including retries; 10,001 means more than 10,000.',
      examples: [3],
    }),
    late_since: timestampOrNull(
      'Since when the first of those that were counted is due; null: none is.',
    ),
  },
  { $id: 'InstallationQueue', description: 'Work that waits, of all tenants.' },
);

/** A description of the installation. */
export const InstallationRecord = Type.Object(
  {
    version: Type.String({
      description: 'The version of the node that responds.',
      examples: ['0.1.0'],
    }),
    nodes: Type.Array(Node, {
      description:
        'The running nodes, the oldest first. A node that crashed is listed for up to eleven more minutes.',
    }),
    database: Type.Object(
      {
        engine: Type.Enum(['postgresql', 'embedded'], {
          description: '`embedded`: within the process of the only node.',
        }),
        version: Type.String({ description: 'Of PostgreSQL.', examples: ['18.2'] }),
      },
      { description: 'The database. If it does not respond, this route fails as well.' },
    ),
    schema: Type.Object(
      {
        migrations: Type.Integer({
          minimum: 1,
          description: 'Number of applied migrations.',
          examples: [12],
        }),
        latest: Type.String({
          description: 'Name of the last applied migration.',
          examples: ['0012_operations'],
        }),
        is_ahead: Type.Boolean({
          description:
            'Whether a newer version than that of the responding node applied some of the migrations.',
          examples: [false],
        }),
      },
      { description: 'The schema of the database.' },
    ),
    queues: Type.Array(Queue, { description: 'One for each kind of work.' }),
  },
  { $id: 'Installation', description: 'The nodes, database and queues of the installation.' },
);
