/** The origin of queued work: flows take turns, and so do the sources of a flow. The queue does not interpret them. */
export interface Share {
  readonly flow: string;
  readonly source: string;
}

/** The share of the command line and of startup. */
export const OPERATOR: Share = { flow: '', source: '' };

interface Flow<Item> {
  size: number;
  /** In the order of their turns. No source is empty. */
  readonly sources: Map<string, Item[]>;
}

/** The flow or source with the most items. Its newest item is displaced when room is needed. */
interface Rival<Item> {
  readonly name: string;
  readonly flow: Flow<Item>;
  readonly source: string;
}

/** Waiting items, dequeued round-robin across flows and across the sources of a flow, the oldest of a source first. */
export class FairQueue<Item> {
  readonly #flows = new Map<string, Flow<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push({ flow: name, source }: Share, item: Item): void {
    const flow = this.#flows.get(name) ?? { size: 0, sources: new Map<string, Item[]>() };
    const items = flow.sources.get(source) ?? [];
    items.push(item);
    flow.sources.set(source, items);
    flow.size += 1;
    this.#flows.set(name, flow);
    this.#size += 1;
  }

  /** Removes and returns the next item. */
  shift(): Item | undefined {
    const [name, flow] = this.#flows.entries().next().value ?? [];
    if (name === undefined || !flow) return undefined;
    const [source, items] = flow.sources.entries().next().value ?? [];
    if (source === undefined || !items) return undefined;
    const item = items.shift();
    // A flow moves to the end after its turn.
    toTheEnd(this.#flows, name, flow);
    toTheEnd(flow.sources, source, items);
    this.#taken({ name, flow, source });
    return item;
  }

  /** Whether `displace` would remove an item for this share. */
  hasRival(share: Share): boolean {
    return this.#rivalOf(share) !== undefined;
  }

  /**
   * Removes the newest item of the largest flow or source, to make room for an item of this share.
   * @returns undefined if no flow or source is larger than this share
   */
  displace(share: Share): Item | undefined {
    const rival = this.#rivalOf(share);
    if (!rival) return undefined;
    const item = rival.flow.sources.get(rival.source)?.pop();
    this.#taken(rival);
    return item;
  }

  #taken({ name, flow, source }: Rival<Item>): void {
    this.#size -= 1;
    flow.size -= 1;
    if (flow.sources.get(source)?.length === 0) flow.sources.delete(source);
    if (flow.size === 0) this.#flows.delete(name);
  }

  /**
   * Returns the largest flow if it has more items than this share's flow would have; otherwise the largest source of
   * this share's flow, by the same rule.
   */
  #rivalOf({ flow: name, source }: Share): Rival<Item> | undefined {
    const own = this.#flows.get(name);
    const [fullest, most] = fullestOf(this.#flows, ({ size }) => size);
    const isOther = most > (own?.size ?? 0) + 1;
    const flow = isOther ? this.#flows.get(fullest) : own;
    if (!flow) return undefined;
    const [rival, longest] = fullestOf(flow.sources, ({ length }) => length);
    if (!isOther && longest <= (flow.sources.get(source)?.length ?? 0) + 1) return undefined;
    return { name: isOther ? fullest : name, flow, source: rival };
  }
}

function toTheEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function fullestOf<Value>(
  map: ReadonlyMap<string, Value>,
  sizeOf: (value: Value) => number,
): readonly [name: string, size: number] {
  let fullest = '';
  let most = 0;
  for (const [name, value] of map) {
    if (sizeOf(value) > most) [fullest, most] = [name, sizeOf(value)];
  }
  return [fullest, most];
}
