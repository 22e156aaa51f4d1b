// A process that holds many verifiers of the SDK, each with a stream of its own, as that many services would.

import { setTimeout as pause } from 'node:timers/promises';
import { createVerifier, type Verifier } from '../../sdk/src/sdk.ts';
import { monotonicMs, type VerifierCall, type VerifierReply } from './verifiers.ts';

/** Between two looks at a token that is being revoked: how exactly the moment of refusal is known. */
const LOOK_EVERY_MS = 50;
/** A verifier that has not refused after so long is taken to accept for ever. */
const GIVEN_UP_MS = 15_000;

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
      const accepted = await Promise.all(verifiers.map((one) => isAccepted(one, call.token)));
      return [accepted.filter(Boolean).length];
    }
    case 'following':
      return [verifiers.filter((one) => one.state().revocations?.isConnected).length];
    case 'watch':
      return watch(call.token);
  }
}

/** When each verifier refused the token first. */
async function watch(token: string): Promise<readonly number[]> {
  const refusedAt: number[] = [];
  const end = monotonicMs() + GIVEN_UP_MS;
  let accepting = verifiers;
  while (accepting.length > 0 && monotonicMs() < end) {
    await pause(LOOK_EVERY_MS);
    const looks = await Promise.all(
      accepting.map(async (one) => [one, await isAccepted(one, token)] as const),
    );
    accepting = looks.filter(([, accepted]) => accepted).map(([one]) => one);
    const now = monotonicMs();
    for (let count = looks.length - accepting.length; count > 0; count -= 1) refusedAt.push(now);
  }
  return refusedAt;
}

function isAccepted(verifier: Verifier, token: string): Promise<boolean> {
  return verifier.verify(token).then(
    () => true,
    () => false,
  );
}
