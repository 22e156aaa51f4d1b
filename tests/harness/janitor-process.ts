import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Belonging } from './janitor.ts';
import { until } from './until.ts';

const belongings = new Map<string, Belonging>();

for await (const line of createInterface({ input: process.stdin })) {
  const { done, ...belonging } = JSON.parse(line) as Belonging & { done: boolean };
  const key = belonging.kind === 'dir' ? belonging.path : String(belonging.pid);
  if (done) belongings.delete(key);
  else belongings.set(key, belonging);
}

const left = [...belongings.values()];
await Promise.all(left.map(endProcess));
for (const belonging of left) {
  if (belonging.kind !== 'dir') continue;
  rmSync(belonging.path, { recursive: true, force: true, maxRetries: 5 });
}

async function endProcess(belonging: Belonging): Promise<void> {
  if (belonging.kind === 'dir') return;
  const { kind, pid } = belonging;
  // PostgreSQL's immediate shutdown ends its backends and frees its shared memory; SIGKILL leaves both behind.
  if (!signal(pid, kind === 'postgres' ? 'SIGQUIT' : 'SIGKILL')) return;
  await until(`process ${pid} ends`, () => !signal(pid, 0), 5_000).catch(() =>
    signal(pid, 'SIGKILL'),
  );
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
