import { Agent, get } from 'node:http';
import { fineCpuMicros } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';
import type { Service } from '../target/service.ts';

const REQUESTS = 1500;
const AT_ONCE = 16;

export interface RequestKind {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the service's CPU time per request of each kind, in microseconds: medians of alternating rounds. */
export async function costsOf(
  { pid, port }: Service,
  kinds: readonly RequestKind[],
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const found = new Map(kinds.map(({ name }) => [name, [] as number[]]));
  const send = ({ name, path, headers }: RequestKind) =>
    new Promise<void>((resolve, reject) => {
      get({ agent, port, path, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${name}: ${response.statusCode}`));
        response.resume().once('end', resolve);
      }).once('error', reject);
    });
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of kinds) {
      const before = fineCpuMicros(pid);
      for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => send(kind)));
      }
      const sent = Math.ceil(REQUESTS / AT_ONCE) * AT_ONCE;
      if (round > 0) found.get(kind.name)?.push((fineCpuMicros(pid) - before) / sent);
    }
  }
  agent.destroy();
  return new Map([...found].map(([name, values]) => [name, median(values)]));
}
