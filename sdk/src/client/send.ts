import type { Fetch } from '../fetch.ts';
import { Deadline, pause } from '../timer.ts';
import { retryAfterSeconds } from './api-error.ts';
import type { Call, Operation } from './operation.ts';

export interface SenderOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterSeconds: number;
}

/** A complete response of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text of a response in another format. */
  readonly body: unknown;
}

type Outcome = { readonly answer: Answer } | { readonly error: unknown };

const FIRST_DELAY_MS = 250;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const NEVER = new AbortController().signal;

/**
 * Sends a call with retries: after 429; after 503, except for a POST that could take effect twice; and without a
 * response, if repeating is safe. Waits for `Retry-After`, up to a limit.
 *
 * @throws the error of `fetch` without a response
 */
export async function send(
  call: Call,
  headers: Readonly<Record<string, string>>,
  options: SenderOptions,
): Promise<Answer> {
  for (let retry = 0; ; retry += 1) {
    const outcome: Outcome = await attempt(call, headers, options).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const delayMs =
      retry < options.maxRetries ? delayAfter(outcome, call, retry, options) : undefined;
    if (delayMs === undefined) {
      if ('error' in outcome) throw outcome.error;
      return outcome.answer;
    }
    await pause(delayMs, call.signal);
  }
}

async function attempt(
  call: Call,
  headers: Readonly<Record<string, string>>,
  { baseUrl, fetch: fetchImpl, timeoutMs }: SenderOptions,
): Promise<Answer> {
  const deadline = new Deadline(call.signal ?? NEVER);
  deadline.set(timeoutMs, 'The service took too long.');
  try {
    const response = await fetchImpl(`${baseUrl}${call.path}`, {
      method: call.operation.method,
      headers: { ...headers, ...call.headers },
      ...(call.body === undefined ? {} : { body: call.body }),
      signal: deadline.signal,
      // A token must not be sent to another address.
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = /^application\/([\w.-]+\+)?json\b/.test(
      response.headers.get('content-type') ?? '',
    );
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body };
  } finally {
    deadline.clear();
  }
}

/** Returns the delay before a retry, or undefined for no retry. */
function delayAfter(
  outcome: Outcome,
  { operation, signal }: Call,
  retry: number,
  { maxRetryAfterSeconds }: SenderOptions,
): number | undefined {
  const backoffMs = FIRST_DELAY_MS * 2 ** retry * (0.5 + Math.random() / 2);
  if ('error' in outcome) {
    return isHarmlessTwice(operation) && !signal?.aborted ? backoffMs : undefined;
  }
  const { status, headers } = outcome.answer;
  const isRefused = status === TOO_MANY;
  const isMeantToBeRepeated = status === UNAVAILABLE && operation.method !== 'POST';
  if (
    !isRefused &&
    !isMeantToBeRepeated &&
    !(status === UNAVAILABLE && isHarmlessTwice(operation))
  ) {
    return undefined;
  }
  const seconds = retryAfterSeconds(headers) ?? 0;
  // Spreads the retries of clients that received the same Retry-After.
  return seconds > maxRetryAfterSeconds
    ? undefined
    : Math.max(seconds * 1000, backoffMs / 2) + Math.random() * 250;
}

function isHarmlessTwice({ method, idempotent, open }: Operation): boolean {
  if (method === 'POST') return idempotent === true || open === true;
  return method === 'GET' || method === 'PUT';
}
