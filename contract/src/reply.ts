import type { TSchema } from 'typebox';

/** JSON, serialized by a schema: only its fields are sent. */
interface JsonReply {
  readonly kind?: 'json';
  readonly status: 200 | 201;
  readonly body: TSchema;
  readonly contentType?: undefined;
  /** Another format of the same answer, selected by `Accept`. */
  readonly alternative?: { readonly contentType: string; readonly body: TSchema };
}

/**
 * A response of another media type:
 * - `bytes`: sent in one piece;
 * - `lines`: JSON lines, sent as they are read;
 * - `stream`: sent in chunks, until the reader disconnects.
 */
interface TypedReply {
  readonly kind: 'bytes' | 'lines' | 'stream';
  readonly status: 200;
  readonly contentType: string;
  /** As text, the way a reader decodes it. */
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/** An image that never changes, as its address names its digest. Opened by itself it can do nothing. */
interface ImageReply {
  readonly kind: 'image';
  readonly status: 200;
  readonly contentType: 'image/*';
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/** A file of the service itself, compressed. */
interface AssetReply {
  readonly kind: 'asset';
  readonly status: 200;
  readonly contentType: string;
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/**
 * What a page may load and do, from its own origin. Inline styles and scripts are allowed by hash if their kind is
 * declared.
 */
export interface PagePolicy {
  readonly styles?: true;
  readonly scripts?: true;
  readonly images?: true;
  readonly connects?: true;
  readonly forms?: true;
  /**
   * A page of another site that opened this one in a window keeps a handle on that window, as logins in a pop-up need;
   * default: it loses it (Cross-Origin-Opener-Policy).
   */
  readonly opener?: true;
  /** It frames pages of its own origin. */
  readonly frames?: true;
  /** Pages of its own origin may frame it: it is sandboxed, so that it runs no script and sends no form. Default: none may. */
  readonly framed?: true;
}

/** An HTML page. */
interface PageReply {
  readonly kind: 'html';
  readonly status: 200;
  readonly policy: PagePolicy;
  /** How long caches may keep it, since it is the same for all users; default not at all. */
  readonly maxAgeSeconds?: number;
  readonly body?: undefined;
  readonly contentType?: undefined;
  readonly alternative?: undefined;
}

/** A redirect to be followed with GET (RFC 9110 §15.4.4): never 307, which would resend the form. */
interface RedirectReply {
  readonly kind: 'redirect';
  readonly status: 303;
  /** Policy of the page that is shown if the form is rejected. */
  readonly policy?: PagePolicy;
  readonly body?: undefined;
  readonly contentType?: undefined;
  readonly alternative?: undefined;
}

/** No content. */
interface EmptyReply {
  readonly kind: 'empty';
  readonly status: 204;
  readonly body?: undefined;
  readonly contentType?: undefined;
  readonly alternative?: undefined;
}

/** The answer of a route on success. */
export type Reply =
  | JsonReply
  | TypedReply
  | ImageReply
  | AssetReply
  | PageReply
  | RedirectReply
  | EmptyReply;

/**
 * Kinds of cookies, each named per tenant: of a browser session, of a flow before the login, of a chosen language, of how
 * this browser logged in last, and of the device token of that login.
 */
export type CookieName = 'session' | 'flow' | 'locale' | 'method' | 'device';
