import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadAnswer, LoadCommand, LoadResult, Traffic } from './traffic.ts';

const PROGRAM = fileURLToPath(new URL('load-process.ts', import.meta.url));
/** The time limit of a command. */
const DEADLINE_MS = 30_000;

/** A process that sends load to a port. */
export interface Load {
  /** Replaces the connections. */
  connect(port: number, traffic: Traffic): Promise<void>;
  /** Continues with the next requests. @throws if a response is not as expected */
  run(seconds: number): Promise<LoadResult>;
  close(): void;
}

export function startLoad(): Load {
  const child = fork(PROGRAM, { serialization: 'advanced', execArgv: [] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load process ended.');
  });
  ended.catch(() => {});
  async function send(command: LoadCommand, deadlineMs = DEADLINE_MS): Promise<LoadAnswer> {
    const signal = AbortSignal.timeout(deadlineMs);
    const answered = once(child, 'message', { signal }) as Promise<[LoadAnswer]>;
    child.send(command);
    const [answer] = await Promise.race([answered, ended]);
    if (answer.kind === 'failed') throw new Error(`The load failed: ${answer.problem}`);
    return answer;
  }
  return {
    async connect(port, traffic) {
      await send({ kind: 'connect', port, traffic });
    },
    async run(seconds) {
      const milliseconds = seconds * 1000;
      const answer = await send({ kind: 'run', milliseconds }, milliseconds + DEADLINE_MS);
      if (answer.kind !== 'ran') throw new Error('The load process sent an unexpected response.');
      return answer.result;
    },
    close() {
      child.disconnect();
    },
  };
}
