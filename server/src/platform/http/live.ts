import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Buffered bytes for a slow reader. Beyond that the connection is closed. */
const MAX_WAITING_BYTES = 512 * 1024;

/** A reader of an answer that has no end of its own. */
export class LiveConnection {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Whether something that was sent has not left yet. */
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

  /** Without waiting for what the reader does not read. */
  cutOff(): void {
    this.#response.destroy();
  }
}

/**
 * Sends the headers of an answer that is written to from now on, unless the reader has gone.
 * @returns whether it is there
 */
export function beginLive(reply: FastifyReply): boolean {
  reply.hijack();
  reply.raw.once('close', () => sayFinished(reply));
  if (reply.raw.destroyed) return false;
  // RFC 9112 §9.6: the connection closes with the stream.
  reply.raw.writeHead(reply.statusCode, { ...plainHeaders(reply), connection: 'close' });
  return true;
}

/** A reader who leaves, or is cut off, leaves the answer unfinished; only finished ones are logged and counted. */
function sayFinished({ raw }: FastifyReply): void {
  if (!raw.writableFinished) raw.emit('finish');
}

/** Those that were set on the way here; a list of values is none of them. */
function plainHeaders(reply: FastifyReply): Record<string, string | number> {
  const headers = Object.entries(reply.getHeaders());
  return Object.fromEntries(
    headers.flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );
}
