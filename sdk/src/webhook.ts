import { base64url } from 'jose';
import type { WebhookEvent } from './generated/events.ts';

/**
 * Why a delivery is rejected:
 * - `SIGNATURE_MISSING`: it has no signature of the required kind;
 * - `SIGNATURE_INVALID`: no signature matches the secret and the body;
 * - `TIMESTAMP_INVALID`: it was signed too long ago, or in the future, and may be a replay;
 * - `BODY_INVALID`: it is signed, but it is not an event.
 */
export type WebhookErrorCode =
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_INVALID'
  | 'TIMESTAMP_INVALID'
  | 'BODY_INVALID';

/** A rejected delivery. */
export class WebhookError extends Error {
  /** Stable. */
  readonly code: WebhookErrorCode;
  /** The status to respond with: 401, or 400 for a signed body that is not an event. */
  readonly httpStatus: 400 | 401;

  constructor(code: WebhookErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'WebhookError';
    this.code = code;
    this.httpStatus = code === 'BODY_INVALID' ? 400 : 401;
  }
}

/** Request headers in the form of any runtime. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options for verifying a delivery. */
export interface WebhookOptions {
  /** Tolerance for the signature's timestamp, in seconds; default 300. */
  readonly toleranceSeconds?: number;
  /**
   * Accepts a delivery with `X-Service-Signature` alone. It has no timestamp, so a recorded delivery can be replayed.
   */
  readonly allowUndated?: boolean;
  /** Milliseconds since the epoch; replaces `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
/** The number of signatures checked; two are expected during a rotation. */
const MAX_SIGNATURES = 8;
/** Prefix of a base64 secret (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';

const encoder = new TextEncoder();

/**
 * Verifies a delivery and returns its event.
 *
 * Keywright signs twice: with the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`), which are verified, and with `X-Service-Signature`, which has no timestamp.
 *
 * @param rawBody exactly as received: parsing and serializing again changes the bytes
 * @param secret of the endpoint, or both during a rotation
 * @throws WebhookError, to respond with its `httpStatus`
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: WebhookOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signatures = header(headers, 'webhook-signature');
  if (signatures !== undefined) {
    const id = await requireStandard(body, headers, signatures, secrets, options);
    return eventIn(body, id);
  }
  const signature = header(headers, 'x-service-signature');
  if (signature === undefined || options.allowUndated !== true) {
    throw new WebhookError('SIGNATURE_MISSING', 'Expected the header webhook-signature.');
  }
  await requireAny(secrets.map(encode), [fromHex(signature)], body);
  return eventIn(body, undefined);
}

/** Verifies the Standard Webhooks headers. @returns the signed ID */
async function requireStandard(
  body: Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  signatures: string,
  secrets: readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now }: WebhookOptions,
): Promise<string> {
  const id = header(headers, 'webhook-id') ?? '';
  const timestamp = header(headers, 'webhook-timestamp') ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError(
      'TIMESTAMP_INVALID',
      'Expected the header webhook-timestamp, in seconds since the epoch.',
    );
  }
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body);
  const presented = signatures
    .split(' ', MAX_SIGNATURES)
    .flatMap((signature) =>
      signature.startsWith('v1,') ? [fromBase64(signature.slice('v1,'.length))] : [],
    );
  await requireAny(secrets.map(standardKey), presented, signed);
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError(
      'TIMESTAMP_INVALID',
      'The delivery was signed too long ago, or in the future: webhook-timestamp is outside the tolerance.',
    );
  }
  return id;
}

/** Compares with Web Crypto, in constant time. @throws WebhookError when no key matches any of the signatures */
async function requireAny(
  keys: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    if (bytes.length === 0)
      throw new TypeError('Expected the secret of the webhook, got an empty one.');
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return;
    }
  }
  throw new WebhookError(
    'SIGNATURE_INVALID',
    'The signature does not match the body: wrong secret, or the body was changed.',
  );
}

function eventIn(body: Uint8Array, id: string | undefined): WebhookEvent {
  try {
    const event = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(body),
    ) as WebhookEvent;
    const isEvent =
      typeof event.id === 'string' &&
      typeof event.type === 'string' &&
      typeof event.created_at === 'string' &&
      typeof event.data === 'object';
    if (isEvent && (id === undefined || event.id === id)) return event;
  } catch (error) {
    throw new WebhookError('BODY_INVALID', 'The body is not JSON.', error);
  }
  throw new WebhookError(
    'BODY_INVALID',
    'Expected the body to be an event with id, type, created_at and data.',
  );
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.join(' ');
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError(
    'Expected the raw body as text or bytes, got a parsed one: read the request before a JSON parser does.',
  );
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encoder.encode(text));
}

function joined(first: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + other.length);
  all.set(first);
  all.set(other, first.length);
  return all;
}

/** Returns the Standard Webhooks key: the decoded base64 after the prefix, or the text itself if it is not base64. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.slice(BASE64_PREFIX.length));
  const isBase64 = key.length > 0 && BASE64_PREFIX + btoa(String.fromCharCode(...key)) === secret;
  return isBase64 ? key : encode(secret);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const url = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  try {
    return new Uint8Array(base64url.decode(url));
  } catch {
    return new Uint8Array();
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([\da-f]{2}){32}$/.test(text)) return new Uint8Array();
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
