import { type Random, seededRandom } from '../harness/random.ts';

/** The figures that a scenario reports. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Run {
  /** Determines what happens and when: the same seed repeats it, except for the machine's timing. */
  readonly random: Random;
  /** The number of rounds; each scenario defines a round. */
  readonly rounds: number;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

/** A fault that the service must survive. */
export interface Scenario {
  readonly name: string;
  /** One line, which also defines a round. */
  readonly about: string;
  /** The number of rounds in the long form. */
  readonly rounds: number;
  /** @throws if an invariant is violated */
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
