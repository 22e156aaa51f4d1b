/** Whose work it is: flows take turns, and in each of them its sources. What they are, is not known here. */
export interface Share {
  readonly flow: string;
  readonly source: string;
}

/** Of who works at the command line, or starts the service. */
export const OPERATOR: Share = { flow: '', source: '' };

interface Flow<Item> {
  size: number;
  /** In the order of their turns; none is empty. */
  readonly sources: Map<string, Item[]>;
}

/** Who has most, and whose item goes first when room is needed. */
interface Rival<Item> {
  readonly name: string;
  readonly flow: Flow<Item>;
  readonly source: string;
}

/** Items that wait, handed out in turns: one of each flow, and of a flow one of each source, the oldest first. */
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

  /** Takes out the next one in turn. */
  shift(): Item | undefined {
    const [name, flow] = this.#flows.entries().next().value ?? [];
    if (name === undefined || !flow) return undefined;
    const [source, items] = flow.sources.entries().next().value ?? [];
    if (source === undefined || !items) return undefined;
    const item = items.shift();
    // Whose turn it was goes behind the others.
    toTheEnd(this.#flows, name, flow);
    toTheEnd(flow.sources, source, items);
    this.#taken({ name, flow, source });
    return item;
  }

  /** Whether an item waits that `displace` would take out for one of this share. */
  hasRival(share: Share): boolean {
    return this.#rivalOf(share) !== undefined;
  }

  /**
   * Takes out the newest item of whoever has most, so that one of this share can wait in its place. Nothing where
   * nobody would then still have as much as this share has.
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

  /** The fullest flow, if it has more than this one would have; else the fullest source of this flow, likewise. */
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
