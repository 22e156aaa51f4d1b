export type Timer = ReturnType<typeof setTimeout>;

/** A timer that does not keep the process running, where the runtime supports that. */
export function startTimer(run: () => void, ms: number): Timer {
  const timer: unknown = setTimeout(run, ms);
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref: () => void }).unref();
  }
  return timer as Timer;
}

/** The part of `AbortSignal` that is used. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', run: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', run: () => void): void;
}

/**
 * Signals the end of something that outlives a request. On some edge runtimes, an `AbortSignal` belongs to the
 * request that created it; this is a plain event.
 */
export class Ending extends EventTarget implements Signal {
  aborted = false;
  reason: unknown;

  abort(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    this.dispatchEvent(new Event('abort'));
  }
}

/** A signal that fires when `end` does, or after the most recently set timeout. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #end: Signal;
  readonly #onEnd = () => this.abort(this.#end.reason);
  #timer: Timer | undefined;

  constructor(end: Signal) {
    this.#end = end;
    if (end.aborted) this.#onEnd();
    else end.addEventListener('abort', this.#onEnd, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  set(ms: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = startTimer(() => this.abort(new Error(message)), ms);
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#end.removeEventListener('abort', this.#onEnd);
  }
}

/** Resolves after the given milliseconds, or immediately when the signal fires. */
export function pause(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = startTimer(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
