import type { ServerResponse } from 'node:http';

/** Buffered bytes for a slow reader. Beyond that the connection is closed. */
const MAX_WAITING_BYTES = 512 * 1024;

/** One reader of a stream. */
export class Connection {
  /** The version last sent; undefined before the first event. */
  version: number | undefined;
  /** Missed changes are being sent. */
  isCatchingUp = false;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** @param version that the event leads to */
  send(text: string, version: number): void {
    this.version = version;
    this.#write(text);
  }

  end(lastWords?: string): void {
    if (lastWords !== undefined) this.#write(lastWords);
    this.#response.end();
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.#response.destroy();
  }
}
