import type { OkOf } from '@keywright/contract/route';
import type { getInstallation } from '@keywright/contract/routes/installation';
import { migrationNames } from '../../../platform/db/schema-files.ts';
import { VERSION } from '../../../platform/version.ts';
import type { measureQueues, QueueState } from './queues-store.ts';
import type { findDatabaseState, listNodes } from './store.ts';

type Found<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>;

interface State {
  readonly isEmbedded: boolean;
  readonly now: Date;
  readonly nodes: Found<typeof listNodes>;
  readonly database: Found<typeof findDatabaseState>;
  readonly queues: Found<typeof measureQueues>;
}

export function presentInstallation(state: State): OkOf<typeof getInstallation> {
  const { version, migrations } = state.database;
  const known = new Set(migrationNames());
  return {
    version: VERSION,
    nodes: state.nodes.map((node) => ({
      node_id: node.id,
      host: node.host,
      version: node.version,
      processes: node.processes,
      started_at: node.started_at.toISOString(),
      seen_at: node.seen_at.toISOString(),
    })),
    database: { engine: state.isEmbedded ? 'embedded' : 'postgresql', version },
    schema: {
      migrations: migrations.length,
      latest: migrations.at(-1) ?? '',
      is_ahead: migrations.some((name) => !known.has(name)),
    },
    queues: state.queues.map((queue) => ({
      name: queue.name,
      waiting: queue.waiting,
      late_since: lateSince(queue, state.now),
    })),
  };
}

function lateSince({ due_at: dueAt }: QueueState, now: Date): string | null {
  return dueAt !== null && dueAt <= now ? dueAt.toISOString() : null;
}
