import type { IncomingMessage } from 'node:http';
import { AppError } from '@keywright/contract/errors';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from './client-network.ts';

/** A body that is not complete yet. */
interface Unfinished {
  bytes: number;
  readonly abandon: () => void;
}

interface Sender {
  bytes: number;
  readonly bodies: Set<Unfinished>;
}

/**
 * Tracks incomplete bodies by the sender's network. When their total is too large, the largest sender's bodies are
 * aborted, so that one client cannot use up the space of all others.
 */
export class UnfinishedBodies {
  readonly #maxBytes: number;
  readonly #senders = new Map<string, Sender>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Current total size. */
  get bytes(): number {
    return this.#bytes;
  }

  add(network: string, abandon: () => void): Unfinished {
    const sender = this.#senders.get(network) ?? { bytes: 0, bodies: new Set() };
    const body = { bytes: 0, abandon };
    sender.bodies.add(body);
    this.#senders.set(network, sender);
    return body;
  }

  grow(network: string, body: Unfinished, bytes: number): void {
    const sender = this.#senders.get(network);
    if (!sender?.bodies.has(body)) return;
    body.bytes += bytes;
    sender.bytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.#makeRoom();
  }

  remove(network: string, body: Unfinished): void {
    const sender = this.#senders.get(network);
    if (!sender?.bodies.delete(body)) return;
    sender.bytes -= body.bytes;
    this.#bytes -= body.bytes;
    if (sender.bodies.size === 0) this.#senders.delete(network);
  }

  /** Aborts all bodies of that network, so that the search pays off. */
  #makeRoom(): void {
    let largest: Sender | undefined;
    for (const sender of this.#senders.values()) {
      if (!largest || sender.bytes > largest.bytes) largest = sender;
    }
    for (const body of largest?.bodies ?? []) body.abandon();
  }
}

const MAX_PIECES = 64;

type Done = (error: Error | null, bytes?: Buffer) => void;

/** Reads a body of at most `limit` bytes. `done` is called once. */
export function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  limitBytes: number,
  unfinished: UnfinishedBodies,
  done: Done,
): void {
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limitBytes) return done(tooLarge(limitBytes));
  const network = clientNetwork(request.peer.address);
  let pieces: Buffer[] = [];
  let received = 0;
  let held: Unfinished | undefined;

  function settle(error: Error | null, bytes?: Buffer): void {
    payload.off('data', take).off('end', finish).off('error', cut).off('close', cut);
    if (held) unfinished.remove(network, held);
    pieces = [];
    done(error, bytes);
  }
  function take(chunk: Buffer): void {
    received += chunk.length;
    if (received > limitBytes) return settle(tooLarge(limitBytes));
    pieces.push(chunk);
    // A body sent in single bytes mainly costs the buffers around them.
    if (pieces.length === MAX_PIECES) pieces = [Buffer.concat(pieces)];
    // Most bodies are received in one piece, and are never incomplete between two events.
    if (received === announced) return;
    held ??= unfinished.add(network, () =>
      settle(new AppError('TOO_MANY_INCOMPLETE_REQUESTS', LATER)),
    );
    unfinished.grow(network, held, chunk.length);
  }
  function finish(): void {
    const [only] = pieces;
    settle(null, pieces.length === 1 ? only : Buffer.concat(pieces));
  }
  function cut(): void {
    settle(new AppError('REQUEST_MALFORMED', { detail: 'The body is incomplete.' }));
  }

  payload.on('data', take).on('end', finish).on('error', cut).on('close', cut);
}

const LATER = { retryAfterSeconds: 1 };

function tooLarge(limitBytes: number): AppError {
  const limit = limitBytes % 1024 === 0 ? `${limitBytes / 1024} KiB` : `${limitBytes} bytes`;
  return new AppError('BODY_TOO_LARGE', { detail: `The body is larger than ${limit}.` });
}
