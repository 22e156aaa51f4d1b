import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { fineCpuMicros } from '../measure/cpu.ts';
import type { Delivery } from './receiver.ts';

const PROGRAM = fileURLToPath(new URL('bare-post-process.ts', import.meta.url));

export interface PostCommand {
  readonly url: string;
  readonly delivery: Delivery;
  /** False: only waits, at the same rate. */
  readonly posts: boolean;
  readonly everyMs: number;
  readonly milliseconds: number;
}

/** A process that posts deliveries with plain undici. */
export interface BarePosts {
  /** @returns CPU microseconds of a POST, without those of the wait before it */
  run(command: Omit<PostCommand, 'posts'>): Promise<number>;
  close(): void;
}

export function startBarePosts(): BarePosts {
  const child = fork(PROGRAM, { execArgv: [] });
  const pid = child.pid ?? 0;
  async function measure(command: PostCommand): Promise<number> {
    const before = fineCpuMicros(pid);
    child.send(command);
    const [times] = (await once(child, 'message')) as [number];
    return (fineCpuMicros(pid) - before) / times;
  }
  return {
    async run(command) {
      const waiting = await measure({ ...command, posts: false });
      return (await measure({ ...command, posts: true })) - waiting;
    },
    close: () => child.disconnect(),
  };
}
