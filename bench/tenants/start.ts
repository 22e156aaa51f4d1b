import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { entrust, release } from '@keywright/tests/harness/janitor';
import { SERVICE_FLAGS } from '../../cli/src/operate.ts';
import { residentKib } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';
import { freePort, START } from '../target/service.ts';
import type { Installation } from './installation.ts';

const STARTS = 7;
const IDLE_MS = 2000;

export interface StartFigures {
  readonly tenants: number;
  /** From the start of the process until it logs that it listens. */
  readonly listening_ms: number;
  /** Memory two seconds later, without requests. */
  readonly idle_mb: number;
}

/** Starts the service on each installation. */
export async function measureStarts(
  installations: readonly Installation[],
): Promise<StartFigures[]> {
  const found: { milliseconds: number; megabytes: number }[][] = installations.map(() => []);
  for (let round = 0; round < STARTS; round += 1) {
    for (const [place, { bench }] of installations.entries()) {
      found[place]?.push(await startOnce(bench.env));
    }
  }
  return installations.map(({ tenants }, place) => ({
    tenants,
    listening_ms: median((found[place] ?? []).map((start) => start.milliseconds)),
    idle_mb: median((found[place] ?? []).map((start) => start.megabytes)),
  }));
}

/** A start, and the memory of the process two seconds later. */
export async function startOnce(env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(process.execPath, [...SERVICE_FLAGS, START], {
    env: { PATH: process.env['PATH'], ...env, KEYWRIGHT_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  const milliseconds = (await listening(child)) - start;
  await pause(IDLE_MS);
  const megabytes = residentKib(pid) / 1024;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
  release({ kind: 'process', pid });
  return { milliseconds, megabytes };
}

/** @returns when it logged that it listens @throws with its log if it exits first; errors also appear on stderr */
function listening(child: ChildProcessByStdio<null, Readable, null>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"msg":"listening"')) resolve(performance.now());
    lines.push(line);
  });
  child.once('close', () => {
    reject(new Error(['The service exited instead of starting.', ...lines].join('\n')));
  });
  return promise;
}
