import type { Fail } from '@keywright/contract/errors';
import type {
  BodyOf,
  CookiesOf,
  ErrorsOf,
  OkOf,
  ParamsOf,
  QueryOf,
  Route,
} from '@keywright/contract/route';
import type { FastifyRequest } from 'fastify';
import type { Line } from '../platform/http/lines.ts';
import type {
  Cacheable,
  RequestedAsset,
  Image,
  Live,
  OtherStatus,
  Page,
  Prepared,
  SeeOther,
  Streamed,
} from '../platform/http/replies.ts';
import type { Wishes } from '../platform/texts/locales.ts';
import type {
  Caller,
  Device,
  Origin,
  PresentedCredential,
  PresentedProof,
  UnconfirmedCaller,
  UserCaller,
} from './caller.ts';
import type { RepeatableRequest } from './idempotency.ts';
import type { PageForm } from './pages.ts';
import type { Tenant } from './tenant.ts';

export type TenantOf<R extends Route> = R['access'] extends 'open' ? undefined : Tenant;
export type CallerOf<R extends Route> = R['access'] extends 'open' | 'tenant'
  ? undefined
  : R extends { begins: 'unconfirmed' }
    ? UnconfirmedCaller
    : R['access'] extends 'browser' | 'user' | 'system'
      ? UserCaller
      : Caller;

/** A request as its handler sees it: validated, within its tenant, from an identified caller. */
export interface Call<R extends Route> {
  readonly tenant: TenantOf<R>;
  readonly caller: CallerOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** The lines of a JSON lines body. */
  readonly lines: R extends { lines: object } ? readonly Line[] : undefined;
  /** The cookies that the route can set and that the browser sent. */
  readonly cookies: Readonly<Partial<Record<CookiesOf<R>, string>>>;
  readonly form: R extends { form: 'page' } ? PageForm : undefined;
  /** The user's language preferences, where the route can set the language cookie. */
  readonly wishes: Wishes;
  /** The request for `once`, if the route is idempotent, to detect repeats. */
  readonly repeatable: R extends { idempotent: true | 'each_path' }
    ? RepeatableRequest | undefined
    : undefined;
  readonly address: string;
  /** The requested host, as reported by the proxy. */
  readonly host: string;
  /** The client's address and the request ID, for the audit log. */
  readonly from: Origin;
  /** The device that sent the request. */
  readonly device: Device;
  /** The credential of the Authorization header, where the route does not need it. It is not verified. */
  readonly credential: PresentedCredential | undefined;
  /** The sender's proof of possession of a key: it is not verified either. */
  readonly proof: PresentedProof | undefined;
  /** Whether the caller of a stream can still read it, by the same credential. */
  readonly isStillAuthorized: R['ok'] extends { kind: 'stream' }
    ? () => Promise<boolean>
    : undefined;
  readonly headers: FastifyRequest['headers'];
}

/**
 * The result type of a route. Routes of a special kind have their own type; a route that the router handles has none.
 */
type AnswerOf<R extends Route> = R extends { form: 'replayed' }
  ? never
  : R['ok'] extends { kind: 'stream' }
    ? Live<OkOf<R>>
    : R['ok'] extends { kind: 'bytes' }
      ? Cacheable<OkOf<R>>
      : R['ok'] extends { kind: 'lines' }
        ? Streamed<OkOf<R>>
        : R['ok'] extends { kind: 'image' }
          ? Image
          : R['ok'] extends { kind: 'asset' }
            ? RequestedAsset
            : R['ok'] extends { kind: 'html' }
              ? Page<ErrorsOf<R>, CookiesOf<R>>
              : R['ok'] extends { kind: 'empty' }
                ? undefined
                : R['ok'] extends { kind: 'redirect' }
                  ? SeeOther<CookiesOf<R>> | Page<ErrorsOf<R>, CookiesOf<R>>
                  : JsonAnswerOf<R>;

type JsonAnswerOf<R extends Route> =
  | OkOf<R>
  | Prepared<OkOf<R>>
  | Streamed<OkOf<R>>
  | OtherStatus<OkOf<R>>;

export type Handler<R extends Route> = (
  call: Call<R>,
  fail: Fail<ErrorsOf<R>>,
) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** The input of a call that a page of the service makes to a route on behalf of the browser. */
export interface PageCall<R extends Route> {
  readonly tenant: Tenant;
  readonly params: ParamsOf<R>;
  readonly body: BodyOf<R>;
  readonly device: Device;
  /** The page's language, as a browser would request it there. */
  readonly locale?: string | undefined;
}

/** A call on behalf of a logged-in user. */
export interface PageCallAs<R extends Route> extends PageCall<R> {
  readonly caller: UserCaller;
  readonly query: QueryOf<R>;
}
