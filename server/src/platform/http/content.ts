import type { IncomingMessage } from 'node:http';
import { AppError } from '@keywright/contract/errors';
import { DEFAULT_BODY_BYTES } from '@keywright/contract/route';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from '../builtins.ts';
import { clientNetwork } from './client-network.ts';
import { readJson } from './json.ts';
import { splitLines } from './lines.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Maximum size of the body. */
    bodyLimit: number;
  }
  interface FastifyInstance {
    unfinishedBodies: UnfinishedBodies;
  }
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const LINES_TYPE = 'application/x-ndjson';
const ALL_TYPES = [JSON_TYPE, FORM_TYPE, TEXT_TYPE, LINES_TYPE];
const CHARSET = /;\s*charset\s*=\s*("?)([^";]*)\1/gi;

/** Accepts only JSON bodies, unless a context also accepts forms. */
export function acceptJson(server: FastifyInstance, maxUnfinishedBytes: number): void {
  server.decorate('unfinishedBodies', new UnfinishedBodies(maxUnfinishedBytes));
  server.decorateRequest('bodyLimit', DEFAULT_BODY_BYTES);
  server.removeAllContentTypeParsers();
  accept(server, JSON_TYPE, readJson);
}

/** Makes the routes of a context accept `application/x-www-form-urlencoded` as well as JSON. */
export function acceptForms(context: FastifyInstance): void {
  accept(context, FORM_TYPE, readForm);
}

/** Makes the routes of a context also accept JSON declared as text/plain: they use no cookies. */
export function acceptText(context: FastifyInstance): void {
  accept(context, TEXT_TYPE, readJson);
}

/** Makes the routes of a context accept only forms. */
export function acceptFormsAlone(context: FastifyInstance): void {
  context.removeAllContentTypeParsers();
  acceptForms(context);
}

/** Makes the routes of a context accept JSON lines and nothing else. */
export function acceptLines(context: FastifyInstance, max: number): void {
  context.removeAllContentTypeParsers();
  accept(context, LINES_TYPE, (bytes) => splitLines(bytes, max));
}

/** @param context of a route @returns the error for a body of a type that the route does not accept */
export function unsupportedType(context: FastifyInstance, internal: unknown): AppError {
  const accepted = ALL_TYPES.filter((type) => context.hasContentTypeParser(type));
  const detail = `The body must be sent as ${accepted.join(' or ')}.`;
  return new AppError('CONTENT_TYPE_UNSUPPORTED', { detail, internal });
}

function accept(server: FastifyInstance, type: string, read: (bytes: Buffer) => unknown): void {
  server.addContentTypeParser(type, (request, payload, done) => {
    if (!isUtf8Declared(request)) return done(new AppError('CONTENT_TYPE_UNSUPPORTED', IN_UTF8));
    readBody(request, payload, request.bodyLimit, server.unfinishedBodies, (error, bytes) => {
      if (error) return done(error);
      // An empty body counts as none, even with a content type.
      if (!bytes || bytes.length === 0) return done(null);
      try {
        return done(null, read(bytes));
      } catch (flaw) {
        return done(flaw as Error);
      }
    });
  });
}

const IN_UTF8 = { detail: 'The body must be encoded in UTF-8.' };

/** RFC 8259 §8.1: JSON is UTF-8, and no other charset is supported. */
function isUtf8Declared({ headers }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? '';
  if (!type.includes(';')) return true;
  return [...type.matchAll(CHARSET)].every(([, , charset = '']) =>
    /^utf-?8$/i.test(charset.trim()),
  );
}

/** Maximum number of fields in a form: far above the needs of any route. */
export const MAX_FIELDS = 100;

/**
 * Parses the fields of a form. Each is a string; a repeated field is a list, which only a route that declares it
 * accepts. Fields without a value are omitted (RFC 6749 §3.1).
 * @throws AppError REQUEST_MALFORMED unless it is UTF-8, VALIDATION_FAILED with too many fields
 */
export function readForm(bytes: Buffer): Record<string, string | string[]> {
  const pairs = bytes.toString().split('&', MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS) {
    const message = `must not have more than ${MAX_FIELDS} fields`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ path: '', message }] });
  }
  if (!isUtf8(bytes)) throw notUtf8();
  const fields = new Map<string, string | string[]>();
  for (const pair of pairs) {
    const end = pair.indexOf('=');
    const name = unescapeForm(end < 0 ? pair : pair.slice(0, end));
    const value = end < 0 ? '' : unescapeForm(pair.slice(end + 1));
    if (value === '') continue;
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Rejects invalid UTF-8: its replacement would make two passwords the same. */
function unescapeForm(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): AppError {
  return new AppError('REQUEST_MALFORMED', { detail: 'The form is not valid UTF-8.' });
}

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
class UnfinishedBodies {
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
function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  limitBytes: number,
  unfinished: UnfinishedBodies,
  done: Done,
): void {
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limitBytes) return done(tooLarge(limitBytes));
  let pieces: Buffer[] = [];
  let received = 0;
  let network = '';
  let entry: Unfinished | undefined;

  function settle(error: Error | null, bytes?: Buffer): void {
    payload.off('data', take).off('end', finish).off('error', cut).off('close', cut);
    if (entry) unfinished.remove(network, entry);
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
    if (!entry) {
      network = clientNetwork(request.peer.address);
      entry = unfinished.add(network, () =>
        settle(new AppError('TOO_MANY_INCOMPLETE_REQUESTS', LATER)),
      );
    }
    unfinished.grow(network, entry, chunk.length);
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
