import type { KyselyPlugin } from 'kysely';
import type { Database } from './database.ts';

/** Called with the name of a statement when it starts; the returned function is called when it ends. */
export type BeginStatement = (name: string) => (isFailed: boolean) => void;

/** Returns the same database with its statements observed. */
export function observed(database: Database, begin: BeginStatement): Database {
  const plugin = observer(begin);
  const { runAside } = database;
  return {
    ...database,
    kysely: database.kysely.withPlugin(plugin),
    kyselyFor: (work) => database.kyselyFor(work).withPlugin(plugin),
    run: (one, values) => during(begin(one.name), database.run(one, values)),
    ...(runAside && {
      runAside: (one, values) => during(begin(one.name), runAside(one, values)),
    }),
  };
}

async function during<Rows>(end: ReturnType<BeginStatement>, rows: Promise<Rows>): Promise<Rows> {
  try {
    const result = await rows;
    end(false);
    return result;
  } catch (error) {
    end(true);
    throw error;
  }
}

/** The end of a failed built statement is not reported: Kysely has no hook for it. */
function observer(begin: BeginStatement): KyselyPlugin {
  const running = new WeakMap<object, (isFailed: boolean) => void>();
  return {
    transformQuery({ node, queryId }) {
      running.set(queryId, begin(node.kind.replace(/(Query)?Node$/, '')));
      return node;
    },
    async transformResult({ queryId, result }) {
      running.get(queryId)?.(false);
      return result;
    },
  };
}
