/** Starts `count` calls before any can continue, and waits for all. Rejects with the first failure. */
export function parallel<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** Processes the items with limited concurrency. @returns the results in order */
export async function pooled<Item, T>(
  width: number,
  items: readonly Item[],
  call: (item: Item) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  const queue = items.entries();
  await parallel(width, async () => {
    for (const [index, item] of queue) answers[index] = await call(item);
  });
  return answers;
}

/** Waits for this many turns of the event loop. */
export async function eventLoopIterations(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
