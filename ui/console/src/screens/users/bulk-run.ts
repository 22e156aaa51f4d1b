import { asProblem, type Problem } from '../../api/problem.ts';
import { withRetries } from '../../api/retry.ts';

export interface Failed<Item> {
  readonly item: Item;
  readonly problem: Problem;
}

interface Options<Item> {
  readonly signal: AbortSignal;
  readonly work: (item: Item) => Promise<unknown>;
  /** @param done number of items tried */
  readonly onStep: (done: number) => void;
}

/** Processes items one after another. A failure does not prevent the others. */
export async function runEach<Item>(
  items: readonly Item[],
  { signal, work, onStep }: Options<Item>,
): Promise<readonly Failed<Item>[]> {
  const failed: Failed<Item>[] = [];
  for (const [place, item] of items.entries()) {
    if (signal.aborted) break;
    try {
      await withRetries(() => work(item), signal);
    } catch (error) {
      failed.push({ item, problem: asProblem(error) });
    }
    onStep(place + 1);
  }
  return failed;
}
