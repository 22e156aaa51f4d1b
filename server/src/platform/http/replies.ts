import { createHash } from 'node:crypto';
import type { ErrorCode } from '@keywright/contract/errors';
import type { CookieName } from '@keywright/contract/reply';
import type { FastifyReply } from 'fastify';
import type { Cookie } from './pages/cookies.ts';
import type { Html } from './pages/html.ts';

/** An answer whose text is at hand. The serializer, which leaves out what is not declared, is not asked. */
export class Prepared<Body> {
  readonly text: string;
  /** What it is the text of; there for the compiler. */
  declare readonly body: Body;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * An answer that plain JSON is made of sooner than by the serializer: one of several shapes, which it would find out by
 * validating the answer against each, or one with fields of any name.
 * @param body declared in every field: all of them are sent
 */
export function preparedOf<Body>(body: Body): Prepared<Body> {
  return new Prepared(JSON.stringify(body));
}

/** An answer that caches may keep, and that nobody is sent again who names its tag. */
export class Cacheable<Body> extends Prepared<Body> {
  readonly etag: string;
  readonly cacheControl: string;

  /** @param etag default one of the text */
  constructor(text: string, maxAgeSeconds: number, etag = etagOf(text)) {
    super(text);
    this.etag = etag;
    this.cacheControl = `public, max-age=${maxAgeSeconds}`;
  }
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** An answer in a form of its own, sent piece by piece as whoever asked takes it. */
export class Streamed<Body> {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  /** What it is sent in place of; there for the compiler. */
  declare readonly body: Body;

  constructor(contentType: string, chunks: AsyncIterable<string>) {
    this.contentType = contentType;
    this.chunks = chunks;
  }
}

/** An answer that is written to for as long as its reader stays. */
export class Live<Body> {
  /** Takes the connection over. What it throws before that is answered as any error. */
  readonly open: (reply: FastifyReply) => Promise<void>;
  /** What is written, all together; there for the compiler. */
  declare readonly body: Body;

  constructor(open: (reply: FastifyReply) => Promise<void>) {
    this.open = open;
  }
}

/** An answer of a status that is neither the route's success nor an error. */
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
  /** The page is shown in place of what was asked for, which is refused with this code, and has its status. */
  readonly refusal?: Code;
  readonly cookies?: readonly Cookie<Name>[];
}

/** A page for people. */
export class Page<Code extends ErrorCode = never, Name extends CookieName = never> {
  readonly html: Html;
  readonly refusal: Code | undefined;
  readonly cookies: readonly Cookie<Name>[];

  constructor(html: Html, { refusal, cookies = [] }: PageOptions<Code, Name> = {}) {
    this.html = html;
    this.refusal = refusal;
    this.cookies = cookies;
  }
}

/** A path of this origin: browsers read `//` and `/\` at its beginning as the beginning of another host. */
const OWN_PATH = /^\/(?![/\\])[!-~]*$/;

/** Leads the browser to another address, which it fetches with GET. */
export class SeeOther<Name extends CookieName = never> {
  readonly location: string;
  readonly cookies: readonly Cookie<Name>[];

  /** @param to a path of this origin; a URL where it leaves the origin, so that no text does so by accident */
  constructor(to: `/${string}` | URL, cookies: readonly Cookie<Name>[] = []) {
    if (typeof to === 'string' && !OWN_PATH.test(to)) throw new Error('This is no path of here.');
    this.location = String(to);
    this.cookies = cookies;
  }
}
