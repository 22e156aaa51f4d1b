import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Floor } from './floor.ts';
import type { LoopAnswer, LoopCommand } from './loop-process.ts';
import type { LoopName } from './loops.ts';

const PROGRAM = fileURLToPath(new URL('loop-process.ts', import.meta.url));

/** Hashes, signatures or verifications in a separate process. */
export function openLoop(name: LoopName): Floor {
  const child = fork(PROGRAM, {
    execArgv: [],
    // As in the service: more threads than concurrent hashes.
    env: { ...process.env, UV_THREADPOOL_SIZE: String(availableParallelism() + 2) },
  });
  return {
    name,
    async run(seconds) {
      const command: LoopCommand = { name, milliseconds: seconds * 1000 };
      child.send(command);
      const [answer] = (await once(child, 'message')) as [LoopAnswer];
      const { operations, elapsedMs, cpuMicros } = answer;
      return { micros: cpuMicros / operations, perSecond: (operations / elapsedMs) * 1000 };
    },
    close() {
      child.disconnect();
    },
  };
}
