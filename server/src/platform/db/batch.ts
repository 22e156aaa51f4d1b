/**
 * Batches calls of one kind: calls that are made while others are in progress, or within two turns of the event loop,
 * become one call. Nothing is cached, so nothing can be stale.
 * @param run returns the results in the order of the items: values or promises
 */
export function batched<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  limits: { readonly size: number; readonly flights: number },
): (item: Item) => Promise<Answer> {
  const waiting: {
    item: Item;
    resolve: (answer: Answer | Promise<Answer>) => void;
    reject: (reason: unknown) => void;
  }[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= limits.flights) return;
    scheduled = true;
    setImmediate(() => {
      // A single call runs immediately. After several, more are likely within the next turn.
      const hasMore = waiting.length > 1 && waiting.length < limits.size;
      if (hasMore) setImmediate(depart);
      else depart();
    });
  }

  function depart(): void {
    scheduled = false;
    const flight = waiting.splice(0, limits.size);
    inFlight += 1;
    void settle(flight).finally(() => {
      inFlight -= 1;
      schedule();
    });
    schedule();
  }

  async function settle(flight: typeof waiting): Promise<void> {
    try {
      const answers = await run(flight.map((one) => one.item));
      flight.forEach((one, index) => one.resolve(answers[index] as Answer | Promise<Answer>));
    } catch (error) {
      for (const one of flight) one.reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
