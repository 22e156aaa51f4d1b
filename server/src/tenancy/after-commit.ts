import type { TenantId } from '@keywright/contract/ids';

/** Work after a commit. A returned promise is not awaited. */
export type Follow = () => void | Promise<void>;

declare const carried: unique symbol;

/** Messages between modules within one process. The publishing module declares it. */
export interface Topic<Message> {
  readonly name: string;
  /** Exists at compile time only. */
  readonly [carried]?: Message;
}

export function topic<Message>(name: string): Topic<Message> {
  return { name };
}

/** Registers work to do after the commit. */
export interface CommitHooks {
  /**
   * Runs `follow` once after the commit, in the order of the calls. It does not run after a rollback or if the result
   * of the commit is unknown. Errors are logged and not propagated.
   */
  afterCommit(follow: Follow): void;
  /** Notifies the subscribers of this process after the commit. */
  publish<Message>(to: Topic<Message>, message: Message): void;
  /**
   * Marks cached data of this tenant as changed: this node evicts it before the work returns, even if the work fails.
   */
  changed(tenantId: TenantId): void;
}

type Subscriber<Message> = (message: Message) => void;

/** The log for errors of work after a commit. */
interface ErrorLog {
  error(fields: object, message: string): void;
}

/** Runs work after commits in this process. */
export class AfterCommit {
  readonly #log: ErrorLog;
  readonly #subscribers = new Map<Topic<unknown>, Subscriber<unknown>[]>();
  #forget: (tenantId: TenantId) => void = () => undefined;

  constructor(log: ErrorLog = console) {
    this.#log = log;
  }

  /** Calls `subscriber` with each message at most once: the messages of a process that dies are lost. */
  subscribe<Message>(to: Topic<Message>, subscriber: Subscriber<Message>): void {
    const others = this.#subscribers.get(to) ?? [];
    this.#subscribers.set(to, [...others, subscriber as Subscriber<unknown>]);
  }

  /** Sets the function that evicts tenants from the caches of this process. */
  forgetWith(forget: (tenantId: TenantId) => void): void {
    this.#forget = forget;
  }

  /** Publishes the result of a statement that committed by itself. */
  readonly publish = <Message>(to: Topic<Message>, message: Message): void => {
    for (const subscriber of this.#subscribers.get(to) ?? []) {
      this.#attempt(() => subscriber(message), to.name);
    }
  };

  /** Evicts a tenant from the caches after a statement that committed on its own. */
  readonly changed = (tenantId: TenantId): void => this.#forget(tenantId);

  /** Runs a transaction, and then the work registered by it. */
  async follow<Result>(transaction: (hooks: CommitHooks) => Promise<Result>): Promise<Result> {
    const pending = new Pending(this.publish);
    let result: Result;
    try {
      result = await transaction(pending);
    } finally {
      // If the result of the commit is unknown, the commit may have succeeded.
      for (const tenantId of pending.end()) this.#forget(tenantId);
    }
    for (const follow of pending.follows) this.#attempt(follow, 'afterCommit');
    return result;
  }

  #attempt(follow: Follow, what: string): void {
    const failed = (error: unknown) =>
      this.#log.error({ err: error, what }, 'work after a commit failed');
    try {
      const done = follow();
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

const NOTHING: readonly never[] = [];

/** The work registered by one transaction. Most register none. */
class Pending implements CommitHooks {
  readonly #publish: AfterCommit['publish'];
  #follows: Follow[] | undefined;
  #changed: TenantId[] | undefined;
  #isOver = false;

  constructor(publish: AfterCommit['publish']) {
    this.#publish = publish;
  }

  get follows(): readonly Follow[] {
    return this.#follows ?? NOTHING;
  }

  afterCommit(follow: Follow): void {
    if (this.#isOver) throw new Error('The transaction has ended: no more work can be registered.');
    (this.#follows ??= []).push(follow);
  }

  publish<Message>(to: Topic<Message>, message: Message): void {
    this.afterCommit(() => this.#publish(to, message));
  }

  changed(tenantId: TenantId): void {
    (this.#changed ??= []).push(tenantId);
  }

  /** Rejects further work. @returns the tenants that the transaction changed */
  end(): readonly TenantId[] {
    this.#isOver = true;
    return this.#changed ?? NOTHING;
  }
}

/** The branding of this tenant has changed. */
export const brandingChanged = topic<TenantId>('branding changed');
