import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuMicros } from '../measure/cpu.ts';
import { startLoad } from '../measure/load.ts';
import { httpRequest, type Traffic } from '../measure/traffic.ts';
import type { Floor } from './floor.ts';

const PROGRAM = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** A process that sends the same response to every request with node:http alone. */
export interface BareServer {
  readonly pid: number;
  readonly port: number;
  close(): void;
}

export async function startBareServer(): Promise<BareServer> {
  const child = fork(PROGRAM, { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { pid: child.pid ?? 0, port, close: () => child.disconnect() };
}

/** @param everyMs if absent, as fast as the server responds */
export function bareTraffic(connections: number, everyMs?: number): Traffic {
  const requests = [httpRequest('GET', '/.well-known/jwks.json')];
  return {
    scripts: Array.from({ length: connections }, () => ({ kind: 'cycle', requests })),
    expected: { status: 200, contains: '"keys"' },
    ...(everyMs === undefined ? {} : { everyMs }),
  };
}

/** The same load on node:http alone. */
export async function openBareHttp(connections: number): Promise<Floor> {
  const server = await startBareServer();
  const load = startLoad();
  await load.connect(server.port, bareTraffic(connections));
  return {
    name: 'bare-http',
    async run(seconds) {
      const before = cpuMicros(server.pid);
      const { requests, elapsedMs } = await load.run(seconds);
      const micros = (cpuMicros(server.pid) - before) / requests;
      return { micros, perSecond: (requests / elapsedMs) * 1000 };
    },
    close() {
      load.close();
      server.close();
    },
  };
}
