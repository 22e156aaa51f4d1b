import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Definition, Ended } from './definition.ts';

/** What is under way is held on each time that a third of its lease is over. */
const HOLDS_IN_A_LEASE = 3;
/** How long a job that is over waits for others to be written down with, and how many at most. */
const GATHER_MS = 100;
const MOST_AT_ONCE = 200;

export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
}

/** What it needs of a definition. */
type Held<Job, Verdict> = Pick<
  Definition<Job, Verdict>,
  'name' | 'leaseSeconds' | 'hold' | 'finish'
>;

/** Holds the jobs that are under way, and writes down how they ended, many at once. */
export class Leases<Job, Verdict> {
  readonly #definition: Held<Job, Verdict>;
  readonly #around: Surroundings;
  readonly #holdEveryMs: number;
  /** When each was held last, by the process's own clock. */
  readonly #underWay = new Map<Job, number>();
  readonly #writing = new Set<Promise<void>>();
  #ended: Ended<Job, Verdict>[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #holding: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(definition: Held<Job, Verdict>, around: Surroundings) {
    this.#definition = definition;
    this.#around = around;
    this.#holdEveryMs = (definition.leaseSeconds * 1000) / HOLDS_IN_A_LEASE;
  }

  /** Whether a job that this node queued then is surely held for it, for long enough to begin. */
  isStillHeld(queuedMs: number): boolean {
    return performance.now() - queuedMs < this.#holdEveryMs;
  }

  begin(job: Job): void {
    this.#underWay.set(job, performance.now());
    this.#holding ??= setTimeout(() => this.#hold(), this.#holdEveryMs).unref();
  }

  isUnderWay(job: Job): boolean {
    return this.#underWay.has(job);
  }

  underWay(): Job[] {
    return [...this.#underWay.keys()];
  }

  end(job: Job, verdict: Verdict): void {
    this.#underWay.delete(job);
    this.#ended.push({ job, verdict });
    if (this.#ended.length >= MOST_AT_ONCE) this.#flush();
    else this.#flushing ??= setTimeout(() => this.#flush(), GATHER_MS).unref();
  }

  get isSettled(): boolean {
    return this.#ended.length + this.#writing.size === 0;
  }

  /** Resolves when what has ended is written down. */
  async settle(): Promise<void> {
    this.#flush();
    await Promise.all(this.#writing);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#holding);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const ended = this.#ended;
    if (ended.length === 0) return;
    this.#ended = [];
    const writing = this.#write(ended).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Where this fails, the lease runs out and the jobs are done again. */
  async #write(ended: readonly Ended<Job, Verdict>[]): Promise<void> {
    try {
      await this.#definition.finish(ended);
    } catch (error) {
      this.#warn(error, 'the ends of jobs were not written down');
    }
  }

  /** Goes on as long as something is under way. */
  #hold(): void {
    const now = performance.now();
    const long = this.#underWay
      .entries()
      .filter(([, heldMs]) => now - heldMs >= this.#holdEveryMs / 2);
    const jobs = [...long].map(([job]) => job);
    for (const job of jobs) this.#underWay.set(job, now);
    const { leaseSeconds, hold } = this.#definition;
    const until = new Date(this.#around.clock.now().getTime() + leaseSeconds * 1000);
    const held = jobs.length > 0 ? hold(jobs, until) : undefined;
    held?.catch((error: unknown) => this.#warn(error, 'jobs under way could not be held'));
    const isOver = this.#underWay.size === 0 || this.#isStopped;
    this.#holding = isOver ? undefined : setTimeout(() => this.#hold(), this.#holdEveryMs).unref();
  }

  #warn(error: unknown, message: string): void {
    const { name } = this.#definition;
    if (!this.#isStopped) this.#around.log.warn({ err: error, queue: name }, message);
  }
}
