import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type EgressOutcome, unanswered } from './outcome.ts';
import { EgressError, type EgressReason } from './reasons.ts';

// RFC 9110 §15.4: the redirects that a client would follow.
const REDIRECTS = [301, 302, 303, 307, 308];
/** Maximum number of unwanted body bytes to read, so that the connection can be reused. */
const MAX_DISCARDED_BYTES = 64 * 1024;

type Controller = Dispatcher.DispatchController;

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly truncate: boolean;
  /** Called once, when the exchange no longer occupies a connection or a queue. */
  readonly onEnd: () => void;
}

/**
 * A request and its response, as a handler of undici. The outcome can settle before the exchange ends: the rest is
 * discarded.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<EgressOutcome>;
  readonly #options: ExchangeOptions;
  readonly #body: BoundedBody;
  readonly #timer: NodeJS.Timeout;
  #resolve!: (outcome: EgressOutcome) => void;
  #isSettled = false;
  #controller: Controller | undefined;
  #status: number | undefined;
  #headers: IncomingHttpHeaders = {};
  #discardedBytes = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#body = new BoundedBody(options.maxBytes);
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    // The timeout covers waiting for a connection, the request, and the last byte of the response.
    this.#timer = setTimeout(() => this.#fail('timed_out'), options.timeoutMs);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The request timed out while it waited for a connection.
    if (this.#isSettled) controller.abort(new EgressError('timed_out'));
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (REDIRECTS.includes(status)) {
      this.#settle(unanswered(new EgressError('redirected'), status));
      return;
    }
    const { maxBytes, truncate } = this.#options;
    if (!truncate && Number(headers['content-length'] ?? 0) > maxBytes)
      this.#fail('answer_too_large');
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const surplus = this.#isSettled ? chunk.length : this.#body.append(chunk);
    if (surplus > 0) this.#overflow(surplus);
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    // undici makes the connection available one turn later; a caller that sends immediately would open another one.
    setImmediate(() =>
      setImmediate(() => {
        this.#answer(false);
        this.#end();
      }),
    );
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#settle(unanswered(error, this.#status));
    this.#end();
  }

  #overflow(bytes: number): void {
    if (!this.#options.truncate && !this.#isSettled) return this.#fail('answer_too_large');
    this.#answer(true);
    this.#discardedBytes += bytes;
    if (this.#discardedBytes > MAX_DISCARDED_BYTES) this.#abort('answer_too_large');
  }

  #answer(isTruncated: boolean): void {
    const body = this.#body.bytes();
    const status = this.#status ?? 0;
    this.#settle({ outcome: 'answered', status, headers: this.#headers, body, isTruncated });
  }

  #fail(reason: EgressReason): void {
    this.#settle(unanswered(new EgressError(reason), this.#status));
    this.#abort(reason);
  }

  #abort(reason: EgressReason): void {
    this.#controller?.abort(new EgressError(reason));
  }

  #settle(outcome: EgressOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#resolve(outcome);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#options.onEnd();
  }
}

/** A body of at most `max` bytes, copied into one buffer: memory use does not depend on the chunks. */
export class BoundedBody {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Appends as much as there is space for. @returns the number of bytes that did not fit */
  append(chunk: Buffer): number {
    const taken = Math.min(chunk.length, this.#maxBytes - this.#length);
    const needed = this.#length + taken;
    if (needed > this.#buffer.length) {
      const larger = Buffer.alloc(Math.min(this.#maxBytes, Math.max(needed, 2 * this.#length)));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length, 0, taken);
    this.#length = needed;
    return chunk.length - taken;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
