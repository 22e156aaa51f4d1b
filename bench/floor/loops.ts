import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';

/** Repeats an operation until this time. @returns how often */
type Loop = (untilMs: number) => Promise<number>;

export type LoopName = 'hash' | 'sign' | 'verify';

/** The service's parameters for password hashes. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** About the size of an access token. */
const SIGNING_INPUT_BYTES = 560;
/** Operations per reading of the clock. */
const AT_A_TIME = 50;

export const LOOPS: Readonly<Record<LoopName, () => Loop>> = {
  hash: () => hashes,
  sign() {
    const { privateKey } = generateKeyPairSync('ed25519');
    const input = randomBytes(SIGNING_INPUT_BYTES);
    return repeated(() => void sign(null, input, privateKey));
  },
  verify() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const input = randomBytes(SIGNING_INPUT_BYTES);
    const signature = sign(null, input, privateKey);
    return repeated(() => {
      if (!verify(null, input, publicKey, signature))
        throw new Error('A valid signature was rejected.');
    });
  },
};

/** Hashes with as many concurrent operations as there are cores. */
async function hashes(untilMs: number): Promise<number> {
  let done = 0;
  async function worker(): Promise<void> {
    while (performance.now() < untilMs) {
      await hash('correct horse battery staple', ARGON2ID);
      done += 1;
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return done;
}

function repeated(work: () => void): Loop {
  return async (untilMs) => {
    let done = 0;
    while (performance.now() < untilMs) {
      for (let time = 0; time < AT_A_TIME; time += 1) work();
      done += AT_A_TIME;
    }
    return done;
  };
}
