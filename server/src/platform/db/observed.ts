import type { KyselyPlugin } from 'kysely';
import type { Database } from './database.ts';

/** Called with the name of a statement when it starts; the returned function is called when it ends. */
export type StartStatement = (name: string) => (isFailed: boolean) => void;

/** Returns the same database with its statements observed. */
export function observed(database: Database, start: StartStatement): Database {
  const plugin = observer(start);
  const { runAside } = database;
  return {
    ...database,
    kysely: database.kysely.withPlugin(plugin),
    kyselyFor: (work) => database.kyselyFor(work).withPlugin(plugin),
    run: (statement, values) => during(start(statement.name), database.run(statement, values)),
    ...(runAside && {
      runAside: (statement, values) => during(start(statement.name), runAside(statement, values)),
    }),
  };
}

async function during<Rows>(end: ReturnType<StartStatement>, rows: Promise<Rows>): Promise<Rows> {
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
function observer(start: StartStatement): KyselyPlugin {
  const running = new WeakMap<object, (isFailed: boolean) => void>();
  return {
    transformQuery({ node, queryId }) {
      running.set(queryId, start(node.kind.replace(/(Query)?Node$/, '')));
      return node;
    },
    async transformResult({ queryId, result }) {
      running.get(queryId)?.(false);
      return result;
    },
  };
}
