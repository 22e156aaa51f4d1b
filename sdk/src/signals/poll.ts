import { type Fetch, globalFetch } from '../fetch.ts';
import { SignalError } from './signal-error.ts';
import type { Signal } from './signal.ts';

/** How events are polled. */
export interface PollOptions {
  /** `delivery.endpoint_url` of the stream. */
  readonly url: string;
  /**
   * Returns an access token with the scope `ssf.manage`. Called for each poll, because tokens are valid for ten
   * minutes.
   */
  readonly accessToken: () => string | Promise<string>;
  /** Ends polling after the handled events are acknowledged. */
  readonly signal: AbortSignal;
  /** The maximum number of events per poll; default 100. */
  readonly maxEvents?: number;
  /** Called when a poll fails, or when an event is rejected or its handler fails. Polling continues. */
  readonly onError?: (error: unknown) => void;
  readonly fetch?: Fetch;
}

interface Polled {
  readonly sets?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly ack: readonly string[];
  readonly setErrs: Readonly<
    Record<string, { readonly err: string; readonly description: string }>
  >;
}

const NOTHING: Ended = { ack: [], setErrs: {} };
/** Longer than any transmitter holds a poll open; after this time the connection is considered dead. */
const POLL_TIMEOUT_MS = 60_000;
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Polls until aborted. After a failure it waits before the next poll, for a time that increases with each failure. If
 * the transmitter returns immediately without events, it is polled only once per second.
 */
export async function pollUntil(
  take: (token: string) => Promise<Signal>,
  options: PollOptions,
): Promise<void> {
  const { signal, onError } = options;
  let ended = NOTHING;
  let pauseMs = PAUSE_MS;
  while (!signal.aborted) {
    try {
      const requestedAt = Date.now();
      const { sets = {} } = await sendPoll(options, ended, signal);
      const round = await takeAll(take, sets, onError);
      ended = round.ended;
      pauseMs = round.isWhole ? PAUSE_MS : await pause(pauseMs, signal);
      const waitedMs = Date.now() - requestedAt;
      if (isEmpty(sets) && waitedMs < PAUSE_MS) await pause(PAUSE_MS - waitedMs, signal);
    } catch (error) {
      if (signal.aborted) break;
      onError?.(error);
      pauseMs = await pause(pauseMs, signal);
    }
  }
  if (ended.ack.length > 0)
    await sendPoll(options, ended).catch((error: unknown) => onError?.(error));
}

function isEmpty(sets: object): boolean {
  return Object.keys(sets).length === 0;
}

/** Handles a batch of events. Events that are not acknowledged are delivered again. */
async function takeAll(
  take: (token: string) => Promise<Signal>,
  sets: Readonly<Record<string, string>>,
  onError: PollOptions['onError'],
): Promise<{ readonly ended: Ended; readonly isWhole: boolean }> {
  const ack: string[] = [];
  const setErrs: Record<string, { err: string; description: string }> = {};
  let isWhole = true;
  for (const [jti, token] of Object.entries(sets)) {
    try {
      await take(token);
      ack.push(jti);
    } catch (error) {
      onError?.(error);
      if (error instanceof SignalError && error.code !== 'unavailable') {
        setErrs[jti] = { err: error.code, description: error.message };
      } else {
        isWhole = false;
      }
    }
  }
  return { ended: { ack, setErrs }, isWhole };
}

/** @param signal undefined for the last request, which returns without waiting for events */
async function sendPoll(
  { url, accessToken, maxEvents = 100, fetch = globalFetch }: PollOptions,
  ended: Ended,
  signal?: AbortSignal,
): Promise<Polled> {
  const request = signal ? { maxEvents } : { maxEvents: 0, returnImmediately: true };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await accessToken()}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ ...request, ...ended }),
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(POLL_TIMEOUT_MS), ...(signal ? [signal] : [])]),
  });
  if (!response.ok) throw new Error(`The transmitter responded with ${response.status}.`);
  return (await response.json()) as Polled;
}

/** @returns the next pause */
async function pause(ms: number, signal: AbortSignal): Promise<number> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
  return Math.min(ms * 2, LONGEST_PAUSE_MS);
}
