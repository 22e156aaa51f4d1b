import { collect, type Issuer, requireOpen } from '../verifier/issuer.ts';
import { ProblemError } from '../verifier/problem.ts';
import { Deadline, pause } from '../timer.ts';
import { EventParser } from './server-sent-events.ts';
import { readStatusEvent, type StatusEvent } from './status-change.ts';
import type { Author } from './statement.ts';

const PATH = '/status/stream';
/** The service sends a heartbeat at least every ten seconds. */
const IDLE_TIMEOUT_MS = 25_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/** The longest accepted `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const MAX_ERROR_BYTES = 64 * 1024;

interface StreamOptions {
  readonly author: Author;
  /** Called when a connection breaks or cannot be opened. */
  readonly onLost: (error: unknown) => void;
  /** The version after which changes are needed, if any. */
  readonly from: () => number | undefined;
  /** Called before the first event of each connection. */
  readonly onConnect: (from: number | undefined) => void;
  readonly onEvent: (event: StatusEvent) => void;
  /** Called after each connection. @param wasConnected whether it had delivered events; otherwise the attempt failed */
  readonly onEnd: (wasConnected: boolean) => void;
}

/** The reason for closing a connection deliberately. */
const RESUMED = new Error('Reconnecting from another version.');
/** A connection closed deliberately within this time after another is delayed like a broken one. */
const RESUMED_LATELY_MS = 5000;

/** The stream of changes, reconnected whenever it breaks until the verifier is closed. */
export class StatusStream {
  /** Whether the current connection has delivered events. */
  isConnected = false;
  readonly #issuer: Issuer;
  readonly #options: StreamOptions;
  #connection: Deadline | undefined;
  #resumedAt = -Infinity;
  #failures = 0;
  #retryAfterMs = 0;

  constructor(issuer: Issuer, options: StreamOptions) {
    this.#issuer = issuer;
    this.#options = options;
  }

  /** Runs until the verifier is closed. */
  async run(): Promise<void> {
    const { end } = this.#issuer;
    while (!end.aborted) {
      const connection = new Deadline(end);
      this.#connection = connection;
      const delayMs = await this.#connect(connection).catch((error: unknown) =>
        this.#lose(error, connection),
      );
      connection.abort(new Error('The connection ended.'));
      connection.clear();
      const wasConnected = this.isConnected;
      this.isConnected = false;
      this.#options.onEnd(wasConnected);
      await pause(delayMs, end);
    }
  }

  /** Reconnects from the version that is needed now. */
  resume(): void {
    this.#connection?.abort(RESUMED);
  }

  /** Reports why a connection ended. @returns the delay before the next connection */
  #lose(error: unknown, { signal }: Deadline): number {
    if (this.#issuer.end.aborted) return 0;
    const now = performance.now();
    const isResumed = signal.reason === RESUMED;
    const isFirst = now - this.#resumedAt > RESUMED_LATELY_MS;
    if (isResumed) this.#resumedAt = now;
    else this.#options.onLost(error);
    if (isResumed && isFirst) return 0;
    this.#failures += 1;
    return this.#delayMs();
  }

  /**
   * Returns a delay that increases with each failure, with jitter, so that verifiers do not reconnect simultaneously.
   */
  #delayMs(): number {
    const most = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    const requestedMs = this.#retryAfterMs;
    this.#retryAfterMs = 0;
    return requestedMs + Math.random() * most;
  }

  /** Never returns, because the end of a connection is an error. */
  async #connect(connection: Deadline): Promise<never> {
    const from = this.#options.from();
    const body = await this.#open(connection, from);
    this.#options.onConnect(from);
    return this.#read(body, connection);
  }

  async #open(connection: Deadline, from: number | undefined): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#issuer.open(
      PATH,
      {
        accept: 'text/event-stream',
        ...(from === undefined ? {} : { 'last-event-id': String(from) }),
      },
      connection,
    );
    const { status, headers, body } = response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream');
    if (status === 200 && isStream && body !== null) return body;
    this.#retryAfterMs = retryAfterMs(headers);
    if (body !== null) {
      requireOpen(status, await collect(body, MAX_ERROR_BYTES, 'STREAM_LOST'));
    }
    throw new ProblemError('STREAM_LOST', `The request for the stream returned ${status}.`);
  }

  async #read(body: ReadableStream<Uint8Array>, connection: Deadline): Promise<never> {
    const parser = new EventParser();
    const reader = body.getReader();
    for (;;) {
      connection.set(IDLE_TIMEOUT_MS, 'The stream is silent.');
      const { done, value } = await reader.read();
      if (done) throw new ProblemError('STREAM_LOST', 'The service ended the stream.');
      for (const { event, data } of parser.push(value)) {
        if (event === 'status' || event === 'reset' || event === 'closed') await this.#take(data);
      }
    }
  }

  async #take(data: string): Promise<void> {
    const event = await readStatusEvent(data, this.#options.author);
    this.#options.onEvent(event);
    if (event.kind !== 'change') return;
    this.isConnected = true;
    this.#failures = 0;
  }
}

/** Parses seconds, the format that the service sends (RFC 9110 §10.2.3). */
function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : 0;
}
