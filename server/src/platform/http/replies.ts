import { createHash } from 'node:crypto';
import type { ErrorCode } from '@keywright/contract/errors';
import type { CookieName } from '@keywright/contract/reply';
import type { FastifyReply } from 'fastify';
import type { Cookie } from './pages/cookies.ts';
import { Asset } from './pages/asset.ts';
import type { FilledPage, Html } from './pages/html.ts';

/** A response that is already serialized. It bypasses the serializer, which drops undeclared fields. */
export class Prepared<Body> {
  readonly text: string;
  /** Type of the body; exists at compile time only. */
  declare readonly body: Body;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Returns a response that JSON.stringify serializes faster than the serializer: a member of a union, whose members the
 * serializer would try in turn, or a response with arbitrary field names.
 * @param body every field must be declared: all of them are sent
 */
export function preparedOf<Body>(body: Body): Prepared<Body> {
  return new Prepared(JSON.stringify(body));
}

/** A response in the alternative format of its route. */
export class OtherFormat<Body> extends Prepared<Body> {
  readonly contentType: string;

  constructor(contentType: string, text: string) {
    super(text);
    this.contentType = contentType;
  }
}

/** A cacheable response, which is not sent again to clients that have its tag. */
export class Cacheable<Body> extends Prepared<Body> {
  readonly etag: string;
  readonly #maxAgeSeconds: number;

  /** @param etag default: derived from the text */
  constructor(text: string, maxAgeSeconds: number, etag = etagOf(text)) {
    super(text);
    this.etag = etag;
    this.#maxAgeSeconds = maxAgeSeconds;
  }

  /** Created for each response, because storing it would take memory for each tenant. */
  get cacheControl(): string {
    return `public, max-age=${this.#maxAgeSeconds}`;
  }
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** A large text that is the same for all callers, compressed once for each coding. */
export class CompressedOnce<Body> extends Cacheable<Body> {
  readonly asset: Asset;

  constructor(text: string, maxAgeSeconds: number) {
    const asset = new Asset(text);
    super(text, maxAgeSeconds, `"${asset.digest}"`);
    this.asset = asset;
  }
}

/** An image whose URL contains its digest. */
export class Image {
  readonly contentType: string;
  readonly bytes: Buffer;

  constructor(contentType: string, bytes: Buffer) {
    this.contentType = contentType;
    this.bytes = bytes;
  }
}

/** A file of the service, as requested by URL. */
export class RequestedAsset {
  readonly asset: Asset;
  /** Whether the URL contains the file's digest, so that the response never changes. */
  readonly isForGood: boolean;

  /**
   * @param digest in the URL; a different digest belongs to another version of the service, running alongside this one
   */
  constructor(asset: Asset, digest: string | undefined) {
    this.asset = asset;
    this.isForGood = digest === asset.digest;
  }
}

/** A response in another format, sent in chunks as the client reads. */
export class Streamed<Body> {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  /** Type of the response it replaces; exists at compile time only. */
  declare readonly body: Body;

  constructor(contentType: string, chunks: AsyncIterable<string>) {
    this.contentType = contentType;
    this.chunks = chunks;
  }
}

/** A response that is written to while its reader remains connected. */
export class Live<Body> {
  /** Takes over the connection. Errors thrown before that are sent as usual. */
  readonly open: (reply: FastifyReply) => Promise<void>;
  /** Type of everything written; exists at compile time only. */
  declare readonly body: Body;

  constructor(open: (reply: FastifyReply) => Promise<void>) {
    this.open = open;
  }
}

/** A response with a status that is neither the route's success nor an error. */
export class OtherStatus<Body> {
  readonly status: 503;
  readonly body: Body;
  readonly retryAfterSeconds: number;

  constructor(status: 503, body: Body, retryAfterSeconds: number) {
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface PageOptions<Code, Name extends CookieName> {
  /** The error code of the refused request, whose status the page has; the page replaces the requested one. */
  readonly refusal?: Code;
  readonly cookies?: readonly Cookie<Name>[];
  /** Another site that the page's form can be sent to. */
  readonly formTarget?: URL;
}

/** An HTML page. */
export class Page<Code extends ErrorCode = never, Name extends CookieName = never> {
  readonly html: Html | FilledPage;
  readonly refusal: Code | undefined;
  readonly cookies: readonly Cookie<Name>[];
  readonly formTarget: URL | undefined;

  constructor(
    html: Html | FilledPage,
    { refusal, cookies = [], formTarget }: PageOptions<Code, Name> = {},
  ) {
    this.html = html;
    this.formTarget = formTarget;
    this.refusal = refusal;
    this.cookies = cookies;
  }
}

/** A path of this origin: browsers interpret a leading `//` or `/\` as the start of another host. */
const LOCAL_PATH = /^\/(?![/\\])[!-~]*$/;

/** Redirects the browser to another address, which it fetches with GET. */
export class SeeOther<Name extends CookieName = never> {
  readonly location: string;
  readonly cookies: readonly Cookie<Name>[];

  /** @param to a path of this origin, or a URL to leave the origin, so that no text leaves it by accident */
  constructor(to: `/${string}` | URL, cookies: readonly Cookie<Name>[] = []) {
    if (typeof to === 'string' && !LOCAL_PATH.test(to))
      throw new Error('This is not a path of this origin.');
    this.location = String(to);
    this.cookies = cookies;
  }
}
