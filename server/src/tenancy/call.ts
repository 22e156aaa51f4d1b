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
  AskedAsset,
  Image,
  Live,
  OtherStatus,
  Page,
  Prepared,
  SeeOther,
  Streamed,
} from '../platform/http/replies.ts';
import type { Wishes } from '../platform/texts/locales.ts';
import type { Caller, Origin, UnconfirmedCaller, UserCaller } from './caller.ts';
import type { Device } from './device.ts';
import type { RepeatableRequest } from './idempotency.ts';
import type { PageForm } from './pages.ts';
import type { PresentedCredential, PresentedProof } from './presented.ts';
import type { Tenant } from './tenant.ts';

export type TenantOf<R extends Route> = R['access'] extends 'open' ? undefined : Tenant;
export type CallerOf<R extends Route> = R['access'] extends 'open' | 'tenant'
  ? undefined
  : R extends { begins: 'unconfirmed' }
    ? UnconfirmedCaller
    : R['access'] extends 'browser' | 'user' | 'system'
      ? UserCaller
      : Caller;

/** One request as its handler sees it: checked, within its tenant, from a known caller. */
export interface Call<R extends Route> {
  readonly tenant: TenantOf<R>;
  readonly caller: CallerOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Of a body of JSON lines. */
  readonly lines: R extends { lines: object } ? readonly Line[] : undefined;
  /** Of those that the route may set, and that the browser sent. */
  readonly cookies: Readonly<Partial<Record<CookiesOf<R>, string>>>;
  readonly form: R extends { form: 'page' } ? PageForm : undefined;
  /** What says which language the user reads, where the route may set the cookie of one. */
  readonly wishes: Wishes;
  /** For `once`, where the route is idempotent: whether this was asked before. */
  readonly repeatable: R extends { idempotent: true | 'each_path' }
    ? RepeatableRequest | undefined
    : undefined;
  readonly address: string;
  /** The host that was asked, as the proxy tells it. */
  readonly host: string;
  /** The same, and the request's id: for the record. */
  readonly from: Origin;
  /** That the call is made on. */
  readonly device: Device;
  /** Of the header Authorization, where the route does not need it: nothing of it is verified. */
  readonly credential: PresentedCredential | undefined;
  /** The sender's proof of possession of a key: it is not verified either. */
  readonly proof: PresentedProof | undefined;
  /** Of a stream: whether its caller may still read it, by the same credential. */
  readonly isStillAuthorized: R['ok'] extends { kind: 'stream' }
    ? () => Promise<boolean>
    : undefined;
  readonly headers: FastifyRequest['headers'];
}

/** A route of a kind of its own has an answer of that kind; one that the router answers has none. */
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
            ? AskedAsset
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
