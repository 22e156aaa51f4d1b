import type { ServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

/** Waits for the output of a first start, which follows its first responses. */
export async function welcomed(server: ServerProcess): Promise<ServerProcess> {
  await until('the service prints its welcome', () => server.stdout.includes('Keywright is ready'));
  return server;
}
