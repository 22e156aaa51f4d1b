import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What an event of the stream says, as far as it is measured. */
interface Told {
  readonly version: number;
  readonly bits: readonly number[];
}

/** Between two attempts to connect, at the most: verifiers that lost a node don't come back in one moment. */
const RETRY_MS = 1000;

/** Events are the same bytes for everybody: the first who gets one reads it. */
const READ = new Map<string, Told>();

/** One reader of a stream, who comes back when it breaks and goes on from where they were. */
export class Reader {
  /** Up to where this reader was told. */
  version = 0;
  /** When each bit was told, by the monotonic clock. */
  readonly toldAt = new Map<number, number>();
  readonly #port: number;
  readonly #tenantId: string;
  #isOver = false;
  #hangUp = () => {};

  constructor(port: number, tenantId: string) {
    this.#port = port;
    this.#tenantId = tenantId;
    void this.#follow();
  }

  close(): void {
    this.#isOver = true;
    this.#hangUp();
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      await this.#connect();
      if (!this.#isOver) await pause(Math.random() * RETRY_MS);
    }
  }

  #connect(): Promise<void> {
    return new Promise((resolve) => {
      const since = this.version > 0 ? { 'last-event-id': String(this.version) } : {};
      const headers = { 'x-tenant-id': this.#tenantId, ...since };
      const options = { host: '127.0.0.1', port: this.#port, path: '/status/stream', headers };
      const asking = request({ ...options, agent: false }, (response) => {
        let rest = '';
        response.setEncoding('latin1');
        response.on('data', (text: string) => {
          const events = (rest + text).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events) this.#hear(event);
        });
        response.on('error', () => {});
        response.on('close', resolve);
      });
      asking.on('error', () => resolve());
      asking.end();
      this.#hangUp = () => asking.destroy();
    });
  }

  #hear(event: string): void {
    const now = performance.now();
    const told = READ.get(event) ?? read(event);
    this.version = told.version;
    for (const bit of told.bits) if (!this.toldAt.has(bit)) this.toldAt.set(bit, now);
  }
}

function read(event: string): Told {
  const data = event.slice(event.indexOf('\ndata: ') + 7);
  const payload = Buffer.from(data.split('.', 2)[1] ?? '', 'base64url').toString();
  const { version, revoked } = JSON.parse(payload) as {
    readonly version: number;
    readonly revoked?: Readonly<Record<string, readonly number[]>>;
  };
  const told = { version, bits: revoked?.['0'] ?? [] };
  READ.set(event, told);
  return told;
}

/** The bit that an access token names; all of them are in the first list here. */
export function bitOf(token: string): number {
  const payload = Buffer.from(token.split('.', 2)[1] ?? '', 'base64url').toString();
  const claims = JSON.parse(payload) as { status: { status_list: { idx: number } } };
  return claims.status.status_list.idx;
}
