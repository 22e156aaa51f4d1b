import type { TSchema } from 'typebox';

/** JSON, serialized by a schema, so that only the fields of the schema are sent. */
interface JsonReply {
  readonly kind?: 'json';
  readonly status: 200 | 201;
  readonly body: TSchema;
  readonly contentType?: undefined;
  /** Another format of the same response, selected by `Accept`. */
  readonly alternative?: { readonly contentType: string; readonly body: TSchema };
}

/**
 * A response of another media type:
 * - `bytes`: sent in one piece;
 * - `lines`: JSON lines, each sent as it is read;
 * - `stream`: sent in chunks until the reader disconnects.
 */
interface TypedReply {
  readonly kind: 'bytes' | 'lines' | 'stream';
  readonly status: 200;
  readonly contentType: string;
  /** The schema of the decoded text. */
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/** An image that never changes, because its URL contains its digest. Opened on its own, it is inert. */
interface ImageReply {
  readonly kind: 'image';
  readonly status: 200;
  readonly contentType: 'image/*' | 'font/woff2';
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/** A compressed static file of the service. */
interface AssetReply {
  readonly kind: 'asset';
  readonly status: 200;
  readonly contentType: string;
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/**
 * What a page can load and do, limited to its own origin. Inline styles and scripts are allowed by hash, if the
 * policy declares their kind.
 */
export interface PagePolicy {
  readonly styles?: true;
  readonly scripts?: true;
  readonly images?: true;
  readonly fonts?: true;
  readonly connects?: true;
  readonly forms?: true;
  /**
   * Allows a page of another site to keep its handle on this page after opening it in a window, which pop-up logins
   * need. By default it loses the handle (Cross-Origin-Opener-Policy).
   */
  readonly opener?: true;
  /** Allows the page to frame pages of the same origin. */
  readonly frames?: true;
  /**
   * Allows pages of the same origin to frame it, sandboxed: it runs no script and submits no form. Default: no
   * framing.
   */
  readonly framed?: true;
}

/** An HTML page. */
interface PageReply {
  readonly kind: 'html';
  readonly status: 200;
  readonly policy: PagePolicy;
  readonly body?: undefined;
  readonly contentType?: undefined;
  readonly alternative?: undefined;
}

/** A redirect that browsers follow with GET (RFC 9110 §15.4.4); never 307, which would resubmit the form. */
interface RedirectReply {
  readonly kind: 'redirect';
  readonly status: 303;
  /** The policy of the page shown when the form is rejected. */
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

/** The response of a route on success. */
export type Reply =
  | JsonReply
  | TypedReply
  | ImageReply
  | AssetReply
  | PageReply
  | RedirectReply
  | EmptyReply;

/**
 * The kinds of cookies, each named per tenant: the browser session, the flow before the login, the chosen language,
 * the previous login method of this browser, and the device token of that login.
 */
export type CookieName = 'session' | 'flow' | 'locale' | 'method' | 'device';
