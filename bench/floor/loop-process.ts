// Repeats one operation, so that the CPU time of the process is that of the operation.

import { type LoopName, LOOPS } from './loops.ts';

export interface LoopCommand {
  readonly name: LoopName;
  readonly milliseconds: number;
}

export interface LoopAnswer {
  readonly operations: number;
  readonly elapsedMs: number;
  readonly cpuMicros: number;
}

process.on('message', (command: LoopCommand) => {
  void count(command).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

async function count({ name, milliseconds }: LoopCommand): Promise<LoopAnswer> {
  const loop = LOOPS[name]();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const operations = await loop(start + milliseconds);
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { operations, elapsedMs, cpuMicros: user + system };
}
