import type { ServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

/** Waits for what a first start prints: it answers requests a moment before. */
export async function welcomed(server: ServerProcess): Promise<ServerProcess> {
  await until('the service prints its welcome', () => server.stdout.includes('Keywright is ready'));
  return server;
}
