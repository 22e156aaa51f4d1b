import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

interface StatusEvent {
  readonly version: number;
  readonly bits: readonly number[];
}

/** The maximum delay before reconnecting; it keeps readers from reconnecting simultaneously. */
const RETRY_MS = 1000;

/** Parsed events by their bytes, which are the same for all readers. */
const PARSED = new Map<string, StatusEvent>();

/** A reader of a stream; reconnects and resumes when the stream breaks. */
export class Reader {
  /** Of the last event. */
  version = 0;
  /** When the reader was notified of each bit, by the monotonic clock. */
  readonly notifiedAt = new Map<number, number>();
  readonly #port: number;
  readonly #tenantId: string;
  #isClosed = false;
  #disconnect = () => {};

  constructor(port: number, tenantId: string) {
    this.#port = port;
    this.#tenantId = tenantId;
    void this.#follow();
  }

  close(): void {
    this.#isClosed = true;
    this.#disconnect();
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      await this.#connect();
      if (!this.#isClosed) await pause(Math.random() * RETRY_MS);
    }
  }

  #connect(): Promise<void> {
    return new Promise((resolve) => {
      const since = this.version > 0 ? { 'last-event-id': String(this.version) } : {};
      const headers = { 'x-tenant-id': this.#tenantId, ...since };
      const options = { host: '127.0.0.1', port: this.#port, path: '/status/stream', headers };
      const outgoing = request({ ...options, agent: false }, (response) => {
        let rest = '';
        response.setEncoding('latin1');
        response.on('data', (text: string) => {
          const events = (rest + text).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events) this.#handle(event);
        });
        response.on('error', () => {});
        response.on('close', resolve);
      });
      outgoing.on('error', () => resolve());
      outgoing.end();
      this.#disconnect = () => outgoing.destroy();
    });
  }

  #handle(event: string): void {
    const now = performance.now();
    const received = PARSED.get(event) ?? parse(event);
    this.version = received.version;
    for (const bit of received.bits) if (!this.notifiedAt.has(bit)) this.notifiedAt.set(bit, now);
  }
}

function parse(event: string): StatusEvent {
  const data = event.slice(event.indexOf('\ndata: ') + 7);
  const payload = Buffer.from(data.split('.', 2)[1] ?? '', 'base64url').toString();
  const { version, revoked } = JSON.parse(payload) as {
    readonly version: number;
    readonly revoked?: Readonly<Record<string, readonly number[]>>;
  };
  const received = { version, bits: revoked?.['0'] ?? [] };
  PARSED.set(event, received);
  return received;
}

/** The bit that an access token names; all of them are in the first list here. */
export function bitOf(token: string): number {
  const payload = Buffer.from(token.split('.', 2)[1] ?? '', 'base64url').toString();
  const claims = JSON.parse(payload) as { status: { status_list: { idx: number } } };
  return claims.status.status_list.idx;
}
