import { startServers } from './database.ts';
import { shareCompiledCode } from './child-environment.ts';
import { shareClusters } from './prepared-clusters.ts';

/** What the processes of a test run share, or have for themselves. */
export interface TestRun {
  /** Of each process: the server that its databases are on. A transaction of another file delays no event then. */
  readonly environments: readonly Readonly<Record<string, string>>[];
  end(): Promise<void>;
}

export async function beginTestRun(processes: number): Promise<TestRun> {
  shareCompiledCode();
  await shareClusters();
  const servers = await startServers(processes);
  return {
    environments: servers.map(({ environment }) => environment),
    async end() {
      for (const server of servers) await server.close();
    },
  };
}
