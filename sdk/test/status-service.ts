import type { IncomingMessage, ServerResponse } from 'node:http';
import { deflateSync } from 'node:zlib';
import { type Signer, signJws } from './signer.ts';

const SHARD_BYTES = 16_384;

interface Delta {
  readonly version: number;
  readonly revoked: Readonly<Record<string, readonly number[]>>;
}

export const seconds = () => Math.floor(Date.now() / 1000);

/** Packs bits like a status list: the first bit is the least significant one of the first byte. */
export function pack(bits: Uint8Array): string {
  return deflateSync(bits).toString('base64url');
}

/** Serves status lists and their stream with the protocol of the service. */
export class StatusService {
  /** The bits of each existing list. */
  readonly bits = new Map<number, Uint8Array>([[0, new Uint8Array(SHARD_BYTES)]]);
  version = 1;
  /** The oldest version to resume from: a client with an earlier one must fetch the lists again. */
  historyFrom = 0;
  /** The versions that clients requested to resume from. */
  readonly resumedFrom: (string | undefined)[] = [];
  ttlSeconds = 1;
  lifeSeconds = 3600;
  heartbeatMs = 50;
  readonly #streams = new Set<ServerResponse>();
  readonly #deltas: Delta[] = [];
  readonly #issuer: { readonly name: string; readonly signer: Signer };

  constructor(issuer: { readonly name: string; readonly signer: Signer }) {
    this.#issuer = issuer;
  }

  get connections(): number {
    return this.#streams.size;
  }

  uri(shard = 0): string {
    return `${this.#issuer.name}/status/${shard}`;
  }

  /** The `status` claim of a token. */
  claim(idx: number, shard = 0) {
    return { status: { status_list: { idx, uri: this.uri(shard) } } };
  }

  /** Revokes bits and notifies all connections unless `isTold` is false. */
  revoke(shard: number, indices: readonly number[], isNotified = true): void {
    const bits = this.bits.get(shard) ?? new Uint8Array(SHARD_BYTES);
    for (const index of indices) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    this.bits.set(shard, bits);
    this.version += 1;
    const revoked = { [shard]: indices };
    this.#deltas.push({ version: this.version, revoked });
    if (isNotified) this.notify({ from: this.version - 1, version: this.version, revoked });
  }

  /** A signed list. */
  list(shard = 0, overrides: Readonly<Record<string, unknown>> = {}, signer = this.#issuer.signer) {
    const iat = seconds();
    return signJws(
      signer,
      { typ: 'statuslist+jwt' },
      {
        sub: this.uri(shard),
        iss: this.#issuer.name,
        iat,
        exp: iat + this.lifeSeconds,
        ttl: this.ttlSeconds,
        version: this.version,
        status_list: { bits: 1, lst: pack(this.bits.get(shard) ?? new Uint8Array(SHARD_BYTES)) },
        ...overrides,
      },
    );
  }

  /** A signed event. */
  event(claims: Readonly<Record<string, unknown>>, signer = this.#issuer.signer): string {
    const all = { iss: this.#issuer.name, iat: seconds(), ...claims };
    return signJws(signer, { typ: 'statusdelta+jwt' }, all);
  }

  /** Sends an event to every connection. */
  notify(claims: Readonly<Record<string, unknown>>, name = 'status', signer?: Signer): void {
    this.notifyRaw(`event: ${name}\ndata: ${this.event(claims, signer)}\n\n`);
  }

  notifyRaw(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }

  /** Cuts all connections, like a restarting node. */
  cut(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  /** Handles a request, and returns whether its path is one of this service. */
  answer(path: string, request: IncomingMessage, response: ServerResponse): boolean {
    if (path === '/status/stream') {
      this.#stream(request, response);
      return true;
    }
    const shard = Number(/^\/status\/(\d+)$/.exec(path)?.[1]);
    if (!this.bits.has(shard)) return false;
    const etag = `"${shard}-${this.version}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else {
      const type = 'application/statuslist+jwt';
      response.writeHead(200, { etag, 'content-type': type }).end(this.list(shard));
    }
    return true;
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    const after = request.headers['last-event-id'];
    this.resumedFrom.push(after === undefined ? undefined : String(after));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#streams.add(response);
    const heartbeat = setInterval(() => {
      this.#write(response, { from: this.version, version: this.version });
    }, this.heartbeatMs);
    response.on('close', () => {
      clearInterval(heartbeat);
      this.#streams.delete(response);
    });
    const from = after === undefined ? this.version : Number(after);
    if (from < this.historyFrom) {
      const reset = this.event({ version: this.version, reset: true });
      response.write(`event: reset\ndata: ${reset}\n\n`);
    } else this.#write(response, this.#since(from));
  }

  #write(response: ServerResponse, claims: Readonly<Record<string, unknown>>): void {
    response.write(
      `id: ${String(claims['version'])}\nevent: status\ndata: ${this.event(claims)}\n\n`,
    );
  }

  #since(from: number) {
    const revoked: Record<string, number[]> = {};
    for (const delta of this.#deltas.filter(({ version }) => version > from)) {
      for (const [shard, indices] of Object.entries(delta.revoked)) {
        (revoked[shard] ??= []).push(...indices);
      }
    }
    return { from, version: this.version, revoked };
  }
}
