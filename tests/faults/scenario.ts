import { type Random, seededRandom } from '../harness/random.ts';

/** What a scenario found, for the reader. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Run {
  /** Decides what happens and when: the same seed asks for the same again, the machine's own timing aside. */
  readonly random: Random;
  /** How much of it; what one round is, each scenario says. */
  readonly rounds: number;
  /** Tells how far it is. */
  readonly say: (line: string) => void;
}

/** Something that the service has to survive. */
export interface Scenario {
  readonly name: string;
  /** In a line, with what a round is. */
  readonly about: string;
  /** Rounds of the long form. */
  readonly rounds: number;
  /** @throws when an invariant does not hold */
  readonly run: (run: Run) => Promise<Figures>;
}

/** Runs it, silent and with the seed of the test run. @throws with the seed */
export async function replayable(
  rounds: number,
  scenario: (run: Run) => Promise<Figures>,
): Promise<Figures> {
  const random = seededRandom();
  try {
    return await scenario({ random, rounds, say: () => undefined });
  } catch (error) {
    throw new Error(`KEYWRIGHT_TEST_SEED=${random.seed}`, { cause: error });
  }
}
