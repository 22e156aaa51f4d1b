import assert from 'node:assert/strict';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { Random } from '../harness/random.ts';
import { logIn, refusedLogins } from './refused-logins.ts';
import type { Figures, Run, Scenario } from './scenario.ts';
import { wrongKeys } from './wrong-keys.ts';

const TRIES = 500;
/** The number of key requests per login: a lookup is far shorter than a hash, so other load dominates measurements. */
const KEYS_FOR_A_LOGIN = 8;
const TOLERANCE = 0.05;

/** The duration of a rejection does not disclose its reason. */
export const timing: Scenario = {
  name: 'timing',
  about:
    'how long refused logins and API keys take, medians within 5 %; a round is a login of each kind',
  rounds: TRIES,
  async run({ random, rounds }: Run) {
    const keywright = await startKeywright({ passwords: 'real' });
    try {
      const keyRounds = rounds * KEYS_FOR_A_LOGIN;
      return {
        ...(await compareTimes(random, rounds, 'a wrong secret', await logins(keywright))),
        ...(await compareTimes(random, keyRounds, 'an unknown key', await keys(keywright))),
      };
    } finally {
      await keywright.close();
    }
  },
};

/** Each prepares a request, so that only the sending is measured. */
type Kinds = Readonly<Record<string, () => () => Promise<unknown>>>;

async function logins(keywright: Keywright): Promise<Kinds> {
  const refused = Object.entries(await refusedLogins(keywright));
  return Object.fromEntries(refused.map(([kind, login]) => [kind, () => () => logIn(login)]));
}

async function keys(keywright: Keywright): Promise<Kinds> {
  const tenant = await keywright.tenant('keys', { config: { login_attempts_limit: 100_000 } });
  const wrong = Object.entries(await wrongKeys(keywright, tenant));
  return Object.fromEntries(
    wrong.map(([kind, key]) => [
      kind,
      () => {
        const options = { token: key() };
        return () => tenant.request('GET', '/me', options);
      },
    ]),
  );
}

/**
 * Each round tries every kind once, in a random order and one after another, so that other load on the machine
 * affects all kinds alike. Attempts are sequential, because two concurrent hashes disturb each other by more than
 * the difference being measured, and cost the same in total. Each kind is then compared with its reference in the
 * same round, tens of milliseconds apart: the median of 500 ratios is free of the drift that affects the medians of
 * 500 durations. Two identical kinds compared like this differed by less than 1 % while the machine had four times
 * as much work as cores. Without the decoy hash, an unknown user takes a tenth of the time; a decoy with a tenth
 * less memory is also detected.
 */
async function compareTimes(
  random: Random,
  rounds: number,
  like: string,
  kinds: Kinds,
): Promise<Figures> {
  const ratios = new Map(Object.keys(kinds).map((kind): [string, number[]] => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    const times = new Map<string, number>();
    for (const [kind, prepare] of random.shuffled(Object.entries(kinds))) {
      const send = prepare();
      const start = performance.now();
      await send();
      times.set(kind, performance.now() - start);
    }
    const reference = times.get(like) ?? 0;
    for (const [kind, time] of times) ratios.get(kind)?.push(time / reference);
  }
  return Object.fromEntries([...ratios].map(([kind, all]) => [kind, judge(kind, all)]));
}

/** @returns the difference in percent */
function judge(kind: string, ratios: readonly number[]): number {
  const difference = median(ratios) - 1;
  const percent = Number((difference * 100).toFixed(1));
  assert.ok(Math.abs(difference) <= TOLERANCE, `${kind} takes ${percent} % longer`);
  return percent;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((value, other) => value - other);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - middle - 1] ?? 0)) / 2;
}
