import type { TenantId } from '@keywright/contract/ids';

/** What follows a commit. Nobody waits for a promise that it returns. */
export type Follow = () => void | Promise<void>;

declare const carried: unique symbol;

/** What modules tell each other within one process. The module that publishes declares it. */
export interface Topic<Message> {
  readonly name: string;
  /** There for the compiler. */
  readonly [carried]?: Message;
}

export function topic<Message>(name: string): Topic<Message> {
  return { name };
}

/** What a transaction leaves to be done once it is committed. */
export interface CommitHooks {
  /**
   * Runs `follow` once after the commit, in the order of the calls, and never after a rollback or where the answer to the
   * commit was lost. Its error is logged and fails nobody.
   */
  afterCommit(follow: Follow): void;
  /** After the commit, tells the subscribers of this process. */
  publish<Message>(to: Topic<Message>, message: Message): void;
  /** What nodes remember of this tenant is changed: this node forgets it before the work returns, also if it fails. */
  changed(tenantId: TenantId): void;
}

type Subscriber<Message> = (message: Message) => void;

/** Where errors of such work go. */
interface ErrorLog {
  error(fields: object, message: string): void;
}

/** What runs in this process after commits. */
export class AfterCommit {
  readonly #log: ErrorLog;
  readonly #subscribers = new Map<Topic<unknown>, Subscriber<unknown>[]>();
  #forget: (tenantId: TenantId) => void = () => undefined;

  constructor(log: ErrorLog = console) {
    this.#log = log;
  }

  /** Calls `subscriber` with each message. At-most-once: what a process that dies was about to tell is lost. */
  subscribe<Message>(to: Topic<Message>, subscriber: Subscriber<Message>): void {
    const others = this.#subscribers.get(to) ?? [];
    this.#subscribers.set(to, [...others, subscriber as Subscriber<unknown>]);
  }

  /** Sets who remembers tenants in this process. */
  forgetWith(forget: (tenantId: TenantId) => void): void {
    this.#forget = forget;
  }

  /** A statement that committed by itself has led to this. */
  readonly publish = <Message>(to: Topic<Message>, message: Message): void => {
    for (const subscriber of this.#subscribers.get(to) ?? []) {
      this.#attempt(() => subscriber(message), to.name);
    }
  };

  /** A statement that committed by itself has changed what nodes remember of this tenant. */
  readonly changed = (tenantId: TenantId): void => this.#forget(tenantId);

  /** Runs a transaction, and what it left to be done. */
  async follow<Result>(transaction: (hooks: CommitHooks) => Promise<Result>): Promise<Result> {
    const pending = new Pending(this.publish);
    let result: Result;
    try {
      result = await transaction(pending);
    } finally {
      // When the answer to a commit is lost, nobody knows whether there was one.
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

/** What one transaction leaves to be done. Most leave nothing. */
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
    if (this.#isOver) throw new Error('The transaction is over: nothing can follow it any more.');
    (this.#follows ??= []).push(follow);
  }

  publish<Message>(to: Topic<Message>, message: Message): void {
    this.afterCommit(() => this.#publish(to, message));
  }

  changed(tenantId: TenantId): void {
    (this.#changed ??= []).push(tenantId);
  }

  /** Takes nothing more. @returns the tenants that it changed */
  end(): readonly TenantId[] {
    this.#isOver = true;
    return this.#changed ?? NOTHING;
  }
}
