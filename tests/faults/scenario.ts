import { type Random, seededRandom } from '../harness/random.ts';

/** The report of a scenario. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Run {
  /** Determines what happens and when: the same seed repeats it, except for the machine's timing. */
  readonly random: Random;
  /** The number of rounds; each scenario defines a round. */
  readonly rounds: number;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

/** A fault that the service has to survive. */
export interface Scenario {
  readonly name: string;
  /** In a line, with what a round is. */
  readonly about: string;
  /** Rounds of the long form. */
  readonly rounds: number;
  /** @throws when an invariant does not hold */
  readonly run: (run: Run) => Promise<Figures>;
}

/** Runs it silently with the seed of the test run. @throws with the seed */
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
