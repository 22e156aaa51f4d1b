import Type from 'typebox';
import { timestamp, timestampOrNull } from './record-fields.ts';

const Node = Type.Object(
  {
    node_id: Type.String({
      description: 'Random ID, new at each start.',
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
      description: 'Number of processes that share the node’s port (`KEYWRIGHT_WORKERS`).',
      examples: [4],
    }),
    started_at: timestamp('When the node started (ISO 8601, UTC).'),
    seen_at: timestamp('When the node last renewed its lease. Nodes renew it every five minutes.'),
  },
  { $id: 'InstallationNode', description: 'A running node.' },
);

const Queue = Type.Object(
  {
    name: Type.Enum(['webhooks', 'messages', 'logouts', 'signals', 'exports'], {
      description: 'Type of work.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Number of waiting items, including retries. 10,001 means more than 10,000.',
      examples: [3],
    }),
    late_since: timestampOrNull('When the first counted item became due; `null` if none is due.'),
  },
  { $id: 'InstallationQueue', description: 'Work that is waiting, across all tenants.' },
);

/** A description of the installation. */
export const InstallationRecord = Type.Object(
  {
    version: Type.String({
      description: 'Version of the node that responds.',
      examples: ['0.1.0'],
    }),
    nodes: Type.Array(Node, {
      description:
        'The running nodes, oldest first. A crashed node remains listed for up to eleven minutes.',
    }),
    database: Type.Object(
      {
        engine: Type.Enum(['postgresql', 'embedded'], {
          description: '`embedded`: runs inside the process of the only node.',
        }),
        version: Type.String({ description: 'Version of PostgreSQL.', examples: ['18.2'] }),
      },
      { description: 'The database. If it is unavailable, this route fails as well.' },
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
            'Whether some migrations were applied by a version newer than that of the responding node.',
          examples: [false],
        }),
      },
      { description: 'The database schema.' },
    ),
    queues: Type.Array(Queue, { description: 'The queues, one for each type of work.' }),
  },
  { $id: 'Installation', description: 'The nodes, database and queues of the installation.' },
);
