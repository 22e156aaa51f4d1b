import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('verifiers-process.ts', import.meta.url));

export type VerifierCall =
  | {
      readonly kind: 'open';
      readonly issuer: string;
      readonly address: string;
      readonly count: number;
    }
  /** Returns how many verifiers accept a token. */
  | { readonly kind: 'accept'; readonly token: string }
  /** Returns how many verifiers are connected to their stream. */
  | { readonly kind: 'following' }
  /** Returns when each verifier rejected a token, once all have or a timeout has passed. */
  | { readonly kind: 'watch'; readonly token: string };

export type VerifierReply = { readonly id: number } & (
  | { readonly values: readonly number[] }
  | { readonly failed: string }
);

/** Verifiers in several processes. */
export interface Verifiers {
  /** How many verifiers accept the token. */
  accepting(token: string): Promise<number>;
  following(): Promise<number>;
  /** When each verifier rejected the token, by the monotonic clock; verifiers that never did are omitted. */
  watch(token: string): Promise<readonly number[]>;
  close(): Promise<void>;
}

interface Where {
  readonly issuer: string;
  readonly address: string;
  readonly count: number;
  readonly processes: number;
}

/** The time of the monotonic clock, which processes share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function startVerifiers(where: Where): Promise<Verifiers> {
  const { issuer, address, processes } = where;
  const count = where.count / processes;
  const ports = Array.from({ length: processes }, startPort);
  const callAll = async (call: VerifierCall) => {
    const answers = await Promise.all(ports.map((port) => port.send(call)));
    return answers.flat();
  };
  const total = async (call: VerifierCall) =>
    (await callAll(call)).reduce((sum, value) => sum + value);
  await callAll({ kind: 'open', issuer, address, count });
  return {
    accepting: (token) => total({ kind: 'accept', token }),
    following: () => total({ kind: 'following' }),
    watch: (token) => callAll({ kind: 'watch', token }),
    close: async () => void (await Promise.all(ports.map((port) => port.close()))),
  };
}

interface Port {
  send(call: VerifierCall): Promise<readonly number[]>;
  close(): Promise<void>;
}

function startPort(): Port {
  const child = fork(PROGRAM, { execArgv: [] });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (reply: VerifierReply) => void>();
  let calls = 0;
  child.on('message', (reply: VerifierReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return {
    send: (call) =>
      new Promise((resolve, reject) => {
        const id = (calls += 1);
        waiting.set(id, (reply) => {
          if ('values' in reply) resolve(reply.values);
          else reject(new Error(reply.failed));
        });
        child.send({ id, call });
      }),
    async close() {
      child.disconnect();
      await ended;
    },
  };
}
