import { startServers } from './database.ts';
import { shareCompiledCode } from './child-environment.ts';
import { shareClusters } from './prepared-clusters.ts';

/** The resources of a test run's processes. */
export interface TestRun {
  /**
   * The environment of each process, which names the server of its databases. With separate servers, transactions of
   * other files do not delay events.
   */
  readonly environments: readonly Readonly<Record<string, string>>[];
  end(): Promise<void>;
}

export async function startTestRun(processes: number): Promise<TestRun> {
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
