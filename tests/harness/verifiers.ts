import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { VerifierOptions } from '../../sdk/src/sdk.ts';
import { entrust, release } from './janitor.ts';

const PROGRAM = fileURLToPath(new URL('verifier-process.ts', import.meta.url));
const DEADLINE_MS = 20_000;

/** The commands to the other process. */
type Plain = Omit<VerifierOptions, 'onProblem' | 'fetch' | 'now'>;

export type VerifierCommand =
  | { readonly kind: 'create'; readonly name: string; readonly options: Plain }
  | { readonly kind: 'verify'; readonly name: string; readonly tokens: readonly string[] }
  | { readonly kind: 'problems'; readonly name: string }
  | { readonly kind: 'advance'; readonly seconds: number };

export type VerifierAnswer = { readonly outcomes: readonly string[] } | { readonly failed: string };

/** A verifier of the SDK in the other process. */
export interface RemoteVerifier {
  /** For each token `good`, or the code and reason of its rejection: `TOKEN_INVALID revoked`. */
  verify(...tokens: readonly string[]): Promise<readonly string[]>;
  /** The codes of errors in the background, in order. */
  problems(): Promise<readonly string[]>;
}

/** A process with verifiers and no part of the service. */
export interface VerifierProcess {
  create(options: Plain): Promise<RemoteVerifier>;
  /** Moves the clock of all its verifiers. */
  advance(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export function startVerifiers(): VerifierProcess {
  const child = fork(PROGRAM, { execArgv: [] });
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  const ended = once(child, 'exit');
  let last: Promise<unknown> = Promise.resolve();
  let created = 0;

  async function send(command: VerifierCommand): Promise<readonly string[]> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const answered = once(child, 'message', { signal }) as Promise<[VerifierAnswer]>;
    child.send(command);
    const [answer] = await answered;
    if ('failed' in answer) throw new Error(`The verifiers failed: ${answer.failed}`);
    return answer.outcomes;
  }

  /** Responses are not labeled: each command waits for the previous one. */
  function inTurn(command: VerifierCommand): Promise<readonly string[]> {
    const answer = last.then(() => send(command));
    last = answer.catch(() => {});
    return answer;
  }

  return {
    async create(options) {
      created += 1;
      const name = String(created);
      await inTurn({ kind: 'create', name, options });
      return {
        verify: (...tokens) => inTurn({ kind: 'verify', name, tokens }),
        problems: () => inTurn({ kind: 'problems', name }),
      };
    },
    async advance(seconds) {
      await inTurn({ kind: 'advance', seconds });
    },
    async close() {
      child.disconnect();
      await ended;
      release({ kind: 'process', pid });
    },
  };
}
