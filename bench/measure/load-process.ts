// Sends the load from a separate process, so that its work does not count as the service's. The parent sends one
// command at a time.

import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { requestSource } from './request-source.ts';
import type { LoadAnswer, LoadCommand, LoadResult, Traffic } from './traffic.ts';

let connections: readonly Connection[] = [];
let everyMs: number | undefined;

process.on('message', (command: LoadCommand) => {
  execute(command).then(answer, (error: unknown) =>
    answer({ kind: 'failed', problem: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());

function answer(message: LoadAnswer): void {
  process.send?.(message);
}

async function execute(command: LoadCommand): Promise<LoadAnswer> {
  if (command.kind === 'run') return { kind: 'ran', result: await run(command.milliseconds) };
  open(command.port, command.traffic);
  return { kind: 'connected' };
}

function open(port: number, traffic: Traffic): void {
  for (const connection of connections) connection.close();
  everyMs = traffic.everyMs;
  connections = traffic.scripts.map(
    (script) => new Connection(port, requestSource(script), traffic.expected),
  );
}

async function run(milliseconds: number): Promise<LoadResult> {
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + milliseconds;
  await Promise.all(
    connections.map((connection, index) =>
      everyMs === undefined
        ? atOnce(connection, end, latencies)
        : paced(
            connection,
            start + (index * everyMs) / connections.length,
            end,
            everyMs,
            latencies,
          ),
    ),
  );
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    requests: latencies.length,
    elapsedMs,
    latenciesMs: Float64Array.from(latencies),
    cpuMicros: user + system,
  };
}

async function atOnce(connection: Connection, end: number, latencies: number[]): Promise<void> {
  for (;;) {
    const start = performance.now();
    if (start >= end || !(await connection.sendNext())) return;
    latencies.push(performance.now() - start);
  }
}

/** Latencies count from when a request was due, so that a slow response does not hide the delay of later requests. */
async function paced(
  connection: Connection,
  first: number,
  end: number,
  interval: number,
  latencies: number[],
): Promise<void> {
  for (let due = first; due < end; due += interval) {
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    const start = wait > 0 ? performance.now() : due;
    if (!(await connection.sendNext())) return;
    latencies.push(performance.now() - start);
  }
}
