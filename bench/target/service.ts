import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { entrust, release } from '@keywright/tests/harness/janitor';
import { until } from '@keywright/tests/harness/until';
import { SERVICE_FLAGS } from '../../cli/src/operate.ts';

/** The built service. */
export const START = fileURLToPath(new URL('../../server/dist/start.mjs', import.meta.url));
/** Its sources, which a profile should name. */
export const SOURCES = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const START_DEADLINE_MS = 60_000;

/** A process of the service, as `npm start` runs it. */
export interface Service {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Stops it, and waits until it has exited. */
  stop(): Promise<void>;
  /** Ends it as an orchestrator does, and waits until it has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/**
 * Starts the service. Its log goes to the null device: lines are formatted and written, but not stored.
 *
 * @param port of an earlier node; default: a free port
 * @param program START or SOURCES
 */
export async function startService(
  env: Readonly<Record<string, string>>,
  port?: number,
  program = START,
): Promise<Service> {
  return startAt(port ?? (await freePort()), env, program);
}

async function startAt(
  port: number,
  env: Readonly<Record<string, string>>,
  program: string,
): Promise<Service> {
  const sink = openSync(devNull, 'w');
  const child = spawn(process.execPath, [...SERVICE_FLAGS, program], {
    env: { PATH: process.env['PATH'], ...env, KEYWRIGHT_PORT: String(port) },
    stdio: ['ignore', sink, 'inherit'],
  });
  closeSync(sink);
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  const url = `http://127.0.0.1:${port}`;
  await until('the service responds', () => answers(child, url), START_DEADLINE_MS);
  return {
    pid,
    port,
    url,
    env,
    // Unlike SIGTERM, SIGINT does not wait for load balancers.
    stop: () => end(child, 'SIGINT'),
    end: (signal) => end(child, signal),
  };
}

async function answers(child: ChildProcess, url: string): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error('The service exited instead of starting.');
  }
  try {
    return (await fetch(`${url}/livez`)).ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  const isRunning = child.exitCode === null && child.signalCode === null;
  if (isRunning && child.kill(signal)) await ended;
  release({ kind: 'process', pid: child.pid ?? 0 });
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free TCP port.');
  return address.port;
}
