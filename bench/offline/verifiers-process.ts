// Runs many SDK verifiers, each with its own stream, as separate services would.

import { setTimeout as pause } from 'node:timers/promises';
import { createVerifier, type Verifier } from '../../sdk/src/sdk.ts';
import { monotonicMs, type VerifierCall, type VerifierReply } from './verifiers.ts';

/** How often a token that is being revoked is verified: the precision of the measurement. */
const VERIFY_EVERY_MS = 50;
/** A verifier that still accepts a token after this time counts as never rejecting it. */
const MAX_WATCH_MS = 15_000;

let verifiers: readonly Verifier[] = [];

process.on('message', ({ id, call }: { id: number; call: VerifierCall }) => {
  answer(call).then(
    (values) => reply({ id, values }),
    (error: unknown) => reply({ id, failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

function reply(message: VerifierReply): void {
  process.send?.(message);
}

async function answer(call: VerifierCall): Promise<readonly number[]> {
  switch (call.kind) {
    case 'open': {
      const { issuer, address } = call;
      verifiers = Array.from({ length: call.count }, () => createVerifier({ issuer, address }));
      return [];
    }
    case 'accept': {
      const accepted = await Promise.all(
        verifiers.map((verifier) => isAccepted(verifier, call.token)),
      );
      return [accepted.filter(Boolean).length];
    }
    case 'following':
      return [verifiers.filter((verifier) => verifier.state().revocations?.isConnected).length];
    case 'watch':
      return watch(call.token);
  }
}

/** When each verifier first rejected the token. */
async function watch(token: string): Promise<readonly number[]> {
  const rejectedAt: number[] = [];
  const end = monotonicMs() + MAX_WATCH_MS;
  let accepting = verifiers;
  while (accepting.length > 0 && monotonicMs() < end) {
    await pause(VERIFY_EVERY_MS);
    const looks = await Promise.all(
      accepting.map(async (verifier) => [verifier, await isAccepted(verifier, token)] as const),
    );
    accepting = looks.filter(([, accepted]) => accepted).map(([verifier]) => verifier);
    const now = monotonicMs();
    for (let count = looks.length - accepting.length; count > 0; count -= 1) rejectedAt.push(now);
  }
  return rejectedAt;
}

function isAccepted(verifier: Verifier, token: string): Promise<boolean> {
  return verifier.verify(token).then(
    () => true,
    () => false,
  );
}
