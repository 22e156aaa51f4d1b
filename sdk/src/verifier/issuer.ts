import type { Fetch } from '../fetch.ts';
import { ProblemError, type ProblemCode } from './problem.ts';
import { Deadline, Ending, type Signal } from '../timer.ts';

interface IssuerOptions {
  /** As in its tokens. */
  readonly name: string;
  /** The URL of the issuer, without a trailing slash. */
  readonly address: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
}

interface ReadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** The problem to report for a response that is too large. */
  readonly tooLarge: ProblemCode;
}

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The error codes of a tenant whose tokens must be rejected. */
const CLOSED: readonly unknown[] = ['TENANT_INACTIVE', 'TENANT_NOT_FOUND'];

/** An issuer reached over HTTP. */
export class Issuer {
  readonly name: string;
  /** Fires when the verifier is closed. */
  readonly end: Signal;
  /** Longer than any request to the issuer takes. */
  readonly longestMs: number;
  readonly #options: IssuerOptions;
  readonly #ending = new Ending();

  constructor(options: IssuerOptions) {
    this.name = options.name;
    this.longestMs = options.timeoutMs + 1000;
    this.#options = options;
    this.end = this.#ending;
  }

  /** Aborts every request in progress. */
  close(): void {
    this.#ending.abort(new Error('The verifier was closed.'));
  }

  /**
   * Sends GET and returns the complete response, within the time and size limits. Redirects are not followed.
   *
   * @throws ProblemError `ISSUER_CLOSED` if the tenant is inactive or unknown
   */
  async read(path: string, { headers = {}, maxBytes, tooLarge }: ReadOptions): Promise<Fetched> {
    const deadline = new Deadline(this.end);
    try {
      const response = await this.open(path, headers, deadline);
      const bytes = await readBounded(response, maxBytes, tooLarge);
      requireOpen(response.status, bytes);
      return { status: response.status, headers: response.headers, bytes };
    } finally {
      deadline.clear();
    }
  }

  /**
   * Sends GET and returns the response once its headers arrive. The caller reads the body and enforces the deadline.
   */
  open(
    path: string,
    headers: Readonly<Record<string, string>>,
    deadline: Deadline,
  ): Promise<Response> {
    const { address, fetch: send, timeoutMs } = this.#options;
    deadline.set(timeoutMs, 'The service took too long.');
    return send(`${address}${path}`, { headers, signal: deadline.signal, redirect: 'manual' });
  }
}

/** @throws ProblemError `ISSUER_CLOSED` if the response reports that the tenant is inactive or unknown */
export function requireOpen(status: number, bytes: Uint8Array): void {
  if (status < 400 || status >= 500 || !CLOSED.includes(codeIn(bytes))) return;
  throw new ProblemError('ISSUER_CLOSED', 'The service reports that the tenant is not active.');
}

/** Returns the `code` of an error body; undefined for any other body. */
function codeIn(bytes: Uint8Array): unknown {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return (body as { code?: unknown } | null)?.code;
  } catch {
    return undefined;
  }
}

async function readBounded(
  { body }: Response,
  maxBytes: number,
  tooLarge: ProblemCode,
): Promise<Uint8Array<ArrayBuffer>> {
  return body === null ? new Uint8Array() : collect(body, maxBytes, tooLarge);
}

/** Returns the contents of a stream. Beyond the limit nothing is read. */
export async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  tooLarge: ProblemCode,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      throw new ProblemError(tooLarge, `More than ${maxBytes} bytes.`);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
