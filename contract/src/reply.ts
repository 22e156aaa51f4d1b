import type { TSchema } from 'typebox';

/** JSON of a schema: no other field leaves. */
interface JsonReply {
  readonly kind?: 'json';
  readonly status: 200 | 201;
  readonly body: TSchema;
  readonly contentType?: undefined;
  /** The same in another form, for who asks for it by `Accept`. */
  readonly alternative?: { readonly contentType: string; readonly body: TSchema };
}

/**
 * A type of its own:
 * - `bytes`: sent whole;
 * - `stream`: sent piece by piece, for as long as the reader stays.
 */
interface TypedReply {
  readonly kind: 'bytes' | 'stream';
  readonly status: 200;
  readonly contentType: string;
  /** A text, as whoever asked reads it. */
  readonly body: TSchema;
  readonly alternative?: undefined;
}

/**
 * What a page may load and do beside being read, from its own origin. Styles and scripts that stand in the page itself
 * are allowed by their hashes where the kind is declared.
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
}

/** A page for people. */
interface PageReply {
  readonly kind: 'html';
  readonly status: 200;
  readonly policy: PagePolicy;
  /** How long caches may keep it, which is the same for everybody; default not at all. */
  readonly maxAgeSeconds?: number;
  readonly body?: undefined;
  readonly contentType?: undefined;
  readonly alternative?: undefined;
}

/** Another address, to be fetched with GET (RFC 9110 §15.4.4): never 307, which would send a form on. */
interface RedirectReply {
  readonly kind: 'redirect';
  readonly status: 303;
  /** Of the page that stands in its place when a form is refused. */
  readonly policy?: PagePolicy;
  readonly body?: undefined;
  readonly contentType?: undefined;
  readonly alternative?: undefined;
}

/** How a route answers when it does what it is for. */
export type Reply = JsonReply | TypedReply | PageReply | RedirectReply;

/** Cookies, each with a name of its own for each tenant: of a browser session; of a flow, before anybody is logged in. */
export type CookieName = 'session' | 'flow';
