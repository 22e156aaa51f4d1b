import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuMicros } from '../measure/cpu.ts';
import { startLoad } from '../measure/load.ts';
import { type Exchange, httpRequest, type Script, type Traffic } from '../measure/traffic.ts';
import type { Floor } from './floor.ts';

const PROGRAM = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** A process that sends the same response to every request with plain node:http. */
export interface BareServer {
  readonly pid: number;
  readonly port: number;
  close(): void;
}

/** @param response in Latin-1; default: a key set */
export async function startBareServer(response?: string): Promise<BareServer> {
  const child = fork(PROGRAM, response === undefined ? [] : [response], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { pid: child.pid ?? 0, port, close: () => child.disconnect() };
}

/** @param everyMs if absent, as fast as the server responds */
export function bareTraffic(connections: number, everyMs?: number): Traffic {
  const request = httpRequest('GET', '/.well-known/jwks.json');
  return {
    scripts: Array.from({ length: connections }, () => cycleOf(request)),
    expected: { status: 200, contains: '"keys"' },
    ...(everyMs === undefined ? {} : { everyMs }),
  };
}

function cycleOf(request: string): Script {
  return { kind: 'cycle', requests: [request] };
}

/** The row's request on all connections to plain node:http, which returns the row's response. */
export async function openBareHttp(
  connections: number,
  { request, response, expected }: Exchange,
): Promise<Floor> {
  const server = await startBareServer(response);
  const load = startLoad();
  const scripts = Array.from({ length: connections }, () => cycleOf(request));
  await load.connect(server.port, { scripts, expected });
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
