import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { AppError } from '@keywright/contract/errors';
import { hash, verify } from '@node-rs/argon2';
import {
  type ForeignAlgorithm,
  algorithmOf,
  decoyOf,
  isAffordable,
  verifyForeign,
} from './foreign-hash.ts';

/** The parameters of Argon2id, the library's default algorithm. */
export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's second choice for Argon2id. */
export const OWASP: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Maximum number of waiting hashes per worker: about a third of a second of work. */
export const WAITING_PER_WORKER = 32;
/** Results that are released together while at least as many more are waiting: see ADR 23. */
const RELEASE_BATCH = 8;
/**
 * Hashes and verifies passwords, as many concurrently as there are cores. A bounded number of others wait and take
 * turns by share (ADR 30). When the queue is full, the largest share yields.
 */
export class PasswordHasher {
  readonly #cost: PasswordCost;
  readonly #line: ReturnType<typeof boundedLine>;
  /** Verified for unknown users, so that they take the same time. */
  readonly #decoy: string;
  /** The part of the service's hashes before the salt, as in the column `scheme`. */
  readonly scheme: string;
  /** Number of hashes computed since the start, by algorithm. */
  readonly computedBy: Record<ForeignAlgorithm, number> = {
    argon2: 0,
    bcrypt: 0,
    pbkdf2: 0,
    scrypt: 0,
  };
  #computed = 0;

  constructor(workers: number = availableParallelism(), cost: PasswordCost = OWASP) {
    const { memoryCost, timeCost, parallelism } = cost;
    this.#cost = cost;
    this.#line = boundedLine(workers, workers * WAITING_PER_WORKER);
    this.scheme = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}`;
    this.#decoy = decoyOf(this.scheme);
  }

  /** Number of hashes computed since the start. */
  get computed(): number {
    return this.#computed;
  }

  /** Number of running and of waiting hashes. */
  get load(): { readonly running: number; readonly waiting: number } {
    return this.#line.load();
  }

  /** @throws AppError TOO_BUSY when the queue is full */
  hash(secret: string, share: Share): Promise<string> {
    return this.#line.run(share, () => this.#count(hash(normalize(secret), this.#cost), 'argon2'));
  }

  /**
   * Verifies a password. An undefined hash costs the same and never matches.
   * @param decoy verified if the hash is undefined; default: a hash as this service creates them
   * @throws AppError TOO_BUSY
   */
  verify(
    encoded: string | undefined,
    secret: string,
    share: Share,
    decoy: string = this.#decoy,
  ): Promise<boolean> {
    return this.#line.run(share, async () => {
      const compared = encoded ?? decoy;
      const isRight = this.isOutdated(compared)
        ? await this.#count(verifyOther(compared, secret), algorithmOf(compared))
        : await this.#count(verify(compared, normalize(secret)), 'argon2');
      return encoded !== undefined && isRight;
    });
  }

  /** Rejects work early if the hash that follows it would be rejected. @throws AppError TOO_BUSY */
  requireRoom(share: Share): void {
    this.#line.requireRoom(share);
  }

  /** Whether a stored hash was created elsewhere, or with weaker parameters than the current ones. */
  isOutdated(encoded: string): boolean {
    return !encoded.startsWith(`${this.scheme}$`);
  }

  #count<T>(work: Promise<T>, algorithm: ForeignAlgorithm): Promise<T> {
    // The pool's threads exist only after work was submitted.
    if (this.#computed === 0) stepBack();
    this.#computed += 1;
    this.computedBy[algorithm] += 1;
    return work;
  }
}

/** Verifies a hash with other parameters than the current ones, or of another product. */
async function verifyOther(encoded: string, secret: string): Promise<boolean> {
  if (!isAffordable(encoded)) return false;
  return algorithmOf(encoded) === 'argon2'
    ? verify(encoded, normalize(secret))
    : verifyForeign(encoded, secret);
}

/** Normalizes a secret, so that different keyboards produce the same form (NIST SP 800-63B §3.1.1.2). */
function normalize(secret: string): string {
  return secret.normalize('NFKC');
}

interface Waiter {
  readonly start: () => void;
  readonly yieldRoom: () => void;
}

function boundedLine(workers: number, longest: number) {
  const waiting = new FairQueue<Waiter>();
  const releaseResult = inBatches(RELEASE_BATCH);
  let busy = 0;
  let started = 0;
  // Results that are held back still count toward the length of the queue.
  let pendingResults = 0;
  const isFull = () => waiting.size + pendingResults >= longest;
  const requireRoom = (share: Share) => {
    if (isFull() && !waiting.hasRival(share)) refuse();
  };

  /** @returns the number of hashes that started meanwhile */
  async function wait(share: Share): Promise<number> {
    requireRoom(share);
    if (isFull()) waiting.displace(share)?.yieldRoom();
    const startedBefore = started;
    await new Promise<void>((start, reject) => {
      waiting.push(share, { start, yieldRoom: () => reject(tooBusy()) });
    });
    return started - startedBefore;
  }

  async function run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    let waitedFor = 0;
    if (busy >= workers) waitedFor = await wait(share);
    else busy += 1;
    started += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.start();
      else busy -= 1;
      pendingResults += 1;
      // A request that hardly waited is not delayed to fill a batch.
      await releaseResult(waiting.size, waitedFor >= RELEASE_BATCH);
      pendingResults -= 1;
    }
  }
  return { run, requireRoom, load: () => ({ running: busy, waiting: waiting.size }) };
}

function tooBusy(): AppError {
  return new AppError('TOO_BUSY', { retryAfterSeconds: 1 });
}

function refuse(): never {
  throw tooBusy();
}

const THREADS = '/proc/self/task';
/** libuv's name of its pool threads. */
const POOL = 'libuv-worker';
/** Of -20 to 19, higher is lower priority: 10 gets a tenth of the time of 0 when both compete for a core. */
const NICENESS = 10;

/**
 * Lowers the priority of the hash threads: otherwise hashes on every core would make other requests wait for the
 * scheduler. Effective on Linux, where priorities are per thread; no effect elsewhere. ADR 30 has the measurements.
 */
function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync(THREADS)) {
      const name = readFileSync(`${THREADS}/${thread}/comm`, 'latin1').trim();
      const id = Number(thread);
      if (name === POOL && getPriority(id) < NICENESS) setPriority(id, NICENESS);
    }
  } catch {
    // Hashing also works without the lower priority: /proc may be hidden, or setpriority forbidden.
  }
}

/**
 * Releases callers in batches: a caller is held until the batch is full, or until fewer callers than a batch are
 * certain to follow. Running several together costs less, since each finds in the CPU caches what the previous one
 * used. An impatient caller is released immediately, together with all held callers.
 * @returns a function to call with the number of callers that are certain to follow
 */
export function inBatches(size: number): (following: number, isPatient?: boolean) => Promise<void> {
  let waiting: (() => void)[] = [];
  /** Number of callers since the first one held, including it. */
  let callers = 0;
  return (following, isPatient = true) =>
    new Promise((resolve) => {
      if (isPatient) waiting.push(resolve);
      else resolve();
      callers = waiting.length === 0 ? 0 : callers + 1;
      if (callers < size && following >= size) return;
      const all = waiting;
      waiting = [];
      callers = 0;
      for (const release of all) release();
    });
}

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
class FairQueue<Item> {
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
    const shareFlow = this.#flows.get(name);
    const [fullest, most] = fullestOf(this.#flows, ({ size }) => size);
    const isOther = most > (shareFlow?.size ?? 0) + 1;
    const flow = isOther ? this.#flows.get(fullest) : shareFlow;
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
