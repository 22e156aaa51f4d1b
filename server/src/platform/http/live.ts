import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Maximum buffered bytes for a slow reader. Beyond that the connection is closed. */
const MAX_WAITING_BYTES = 512 * 1024;

/** The connection of a reader to a response that does not end by itself. */
export class LiveConnection {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Whether written data is still buffered. */
  get isBehind(): boolean {
    return this.#response.writableLength > 0;
  }

  write(text: string): void {
    if (!this.isOpen) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.#response.destroy();
  }

  end(lastWords?: string): void {
    if (lastWords !== undefined) this.write(lastWords);
    this.#response.end();
  }

  /** Closes the connection without waiting for the reader to receive the buffered data. */
  cutOff(): void {
    this.#response.destroy();
  }
}

/**
 * Sends the headers of a streaming response, unless the reader has disconnected.
 * @returns whether the reader is still connected
 */
export function startLive(reply: FastifyReply): boolean {
  reply.hijack();
  reply.raw.once('close', () => sayFinished(reply));
  if (reply.raw.destroyed) return false;
  // RFC 9112 §9.6: the connection closes with the stream.
  reply.raw.writeHead(reply.statusCode, { ...plainHeaders(reply), connection: 'close' });
  return true;
}

/**
 * Marks the response as finished when the reader disconnects or is cut off: only finished responses are logged and
 * counted.
 */
function sayFinished({ raw }: FastifyReply): void {
  if (!raw.writableFinished) raw.emit('finish');
}

/** Returns the headers set so far, except those with a list of values. */
function plainHeaders(reply: FastifyReply): Record<string, string | number> {
  const headers = Object.entries(reply.getHeaders());
  return Object.fromEntries(
    headers.flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );
}
