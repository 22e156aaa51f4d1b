// A third-party service that verifies access tokens with the SDK, in a separate process with a clock controlled by the
// test. Executes its parent's commands one after another.

import { createVerifier, VerificationError, type Verifier } from '../../sdk/src/sdk.ts';
import type { VerifierAnswer, VerifierCommand } from './verifiers.ts';

const verifiers = new Map<string, Verifier>();
const problems = new Map<string, string[]>();
let aheadMs = 0;

process.on('message', (command: VerifierCommand) => {
  obey(command).then(
    (outcomes) => answer({ outcomes }),
    (error: unknown) => answer({ failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

function answer(message: VerifierAnswer): void {
  process.send?.(message);
}

async function obey(command: VerifierCommand): Promise<readonly string[]> {
  switch (command.kind) {
    case 'create': {
      const codes: string[] = [];
      problems.set(command.name, codes);
      const verifier = createVerifier({
        ...command.options,
        now: () => Date.now() + aheadMs,
        onProblem: ({ code }) => codes.push(code),
      });
      verifiers.set(command.name, verifier);
      return [];
    }
    case 'advance':
      aheadMs += command.seconds * 1000;
      return [];
    case 'problems':
      return problems.get(command.name) ?? [];
    case 'verify':
      return Promise.all(command.tokens.map((token) => verify(command.name, token)));
  }
}

async function verify(name: string, token: string): Promise<string> {
  try {
    const claims = await verifiers.get(name)?.verify(token);
    return claims === undefined ? 'anonymous' : 'good';
  } catch (error) {
    if (error instanceof VerificationError) return `${error.code} ${error.reason}`;
    throw error;
  }
}
