import { AppError, type ErrorCode, ERRORS, type Fail, fail } from '@keywright/contract/errors';
import {
  type BodyOf,
  bodyLimitOf,
  type ErrorsOf,
  type OkOf,
  type ParamsOf,
  type QueryOf,
  type Route,
} from '@keywright/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { createOpenStream, createSendAnswer } from '../platform/http/answer.ts';
import { sendFailure } from '../platform/http/failures.ts';
import { acceptForms } from '../platform/http/content.ts';
import type { Cacheable, Live, OtherStatus, Prepared, Streamed } from '../platform/http/replies.ts';
import { validator } from '../platform/http/validation.ts';
import { type Authenticate, identify, letIn, originOf } from './admission.ts';
import type { Caller, Origin, UserCaller } from './caller.ts';
import type { TenantDirectory } from './directory.ts';
import { KnownPaths } from './known-paths.ts';
import { requireActive, whileThere } from './resolve.ts';
import type { Tenant } from './tenant.ts';
import { answerUnmatched } from './unmatched.ts';

type TenantOf<R extends Route> = R['access'] extends 'open' ? undefined : Tenant;
type CallerOf<R extends Route> = R['access'] extends 'open' | 'tenant'
  ? undefined
  : R['access'] extends 'user' | 'system'
    ? UserCaller
    : Caller;

/** One request as its handler sees it: checked, within its tenant, from a known caller. */
interface Call<R extends Route> {
  readonly tenant: TenantOf<R>;
  readonly caller: CallerOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly address: string;
  /** The same, and the request's id: for the record. */
  readonly from: Origin;
  readonly userAgent: string | null;
  readonly headers: FastifyRequest['headers'];
}

/** A route of a kind of its own has an answer of that kind. */
type AnswerOf<R extends Route> = R['ok'] extends { kind: 'stream' }
  ? Live<OkOf<R>>
  : R['ok'] extends { kind: 'bytes' }
    ? Cacheable<OkOf<R>>
    : OkOf<R> | Prepared<OkOf<R>> | Streamed<OkOf<R>> | OtherStatus<OkOf<R>>;

type Handler<R extends Route> = (
  call: Call<R>,
  fail: Fail<ErrorsOf<R>>,
) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** Binds routes of the contract to their handlers. */
export interface Router {
  add<const R extends Route>(route: R, handler: Handler<R>): void;
  /** The same route at several addresses. */
  addAll<const R extends Route>(routes: readonly R[], handler: Handler<R>): void;
  /**
   * The same for a handler that only reads and that any caller may have: it begins while the database is asked
   * whether the credential of the caller is alive, so that what both ask goes in one statement. Nothing that comes of it
   * is told before that is known, errors of the body neither.
   */
  addEager<const R extends Route & { access: 'caller' }>(route: R, handler: Handler<R>): void;
}

const MAX_USER_AGENT = 512;

/** Told of each answer of 403 to somebody known, after it was decided. */
export type OnDenial = (tenant: Tenant, caller: Caller, route: Route, code: ErrorCode) => void;

interface Parts {
  readonly paths: KnownPaths;
  readonly server: FastifyInstance;
  readonly directory: TenantDirectory;
  readonly authenticate: Authenticate;
  readonly onDenial: OnDenial;
}

export function createRouter(
  server: FastifyInstance,
  directory: TenantDirectory,
  authenticate: Authenticate,
  onDenial: OnDenial,
): Router {
  server.decorateRequest('admitted');
  const paths = new KnownPaths();
  answerUnmatched(server, paths, directory);
  const parts = { paths, server, directory, authenticate, onDenial };
  return {
    add: (route, handler) => bind(parts, route, handler, false),
    addAll: (routes, handler) => routes.forEach((route) => bind(parts, route, handler, false)),
    addEager: (route, handler) => bind(parts, route, handler, true),
  };
}

function bind<R extends Route>(
  { paths, server, directory, authenticate, onDenial }: Parts,
  route: R,
  handler: Handler<R>,
  isEager: boolean,
): void {
  paths.add(route);
  const maxBytes = bodyLimitOf(route);
  const send = createSendAnswer(route);
  const open = route.ok.kind === 'stream' ? createOpenStream(route) : undefined;
  const requireLetIn = (request: FastifyRequest) => letIn(route, request, directory);
  const options: RouteOptions = {
    method: route.method,
    url: route.path,
    config: { routeId: route.id, oauth: route.oauth === true },
    schema: schemaOf(route),
    validatorCompiler: ({ schema, httpPart }) => validator(schema, httpPart === 'querystring'),
    // Before the body is read: nobody gets work done who isn't let in.
    onRequest: async (request, reply) => {
      request.bodyLimit = maxBytes;
      // RFC 6749 §5.1; Cache-Control is on every answer.
      if (route.oauth) reply.header('pragma', 'no-cache');
      request.admitted = await identify(route, { request, reply }, directory, authenticate);
      if (!isEager) await requireLetIn(request);
    },
    onError: (request, _reply, error, done) => {
      const { tenant, caller } = request.admitted ?? {};
      const isDenial = error instanceof AppError && ERRORS[error.code].status === 403;
      if (isDenial && tenant && caller) onDenial(tenant, caller, route, error.code);
      done();
    },
    handler: async (request, reply) => {
      reply.code(route.ok.status);
      const { tenant } = request.admitted;
      const answered = () => handler(callOf(request), fail);
      const work = open ? () => open(answered(), reply) : answered;
      const answer = tenant ? whileThere(directory, tenant.id, work, requireActive) : work();
      if (isEager) await before(requireLetIn(request), answer);
      return send(await answer, reply);
    },
  };
  if (isEager) options.errorHandler = refuseFirst(requireLetIn);
  if (route.oauth !== true) return void server.route(options);
  // A context of its own: no other route takes forms, which any page of anywhere can send.
  void server.register((context, _options, done) => {
    acceptForms(context);
    context.route(options);
    done();
  });
}

/** Whoever is not let in is told just that, whatever became of the work. */
async function before(admission: Promise<void>, work: unknown): Promise<void> {
  if (work instanceof Promise) work.catch(() => undefined);
  await admission;
}

/** The same where the body was wrong, so that there was no work. */
function refuseFirst(requireLetIn: (request: FastifyRequest) => Promise<void>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const tell = (reason: unknown): void => void sendFailure(request, reply, reason);
    void requireLetIn(request).then(() => tell(error), tell);
  };
}

function callOf<R extends Route>(request: FastifyRequest): Call<R> {
  return {
    tenant: request.admitted.tenant as TenantOf<R>,
    caller: request.admitted.caller as CallerOf<R>,
    params: request.params as ParamsOf<R>,
    query: request.query as QueryOf<R>,
    body: request.body as BodyOf<R>,
    address: request.peer.address,
    from: originOf(request),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    headers: request.headers,
  };
}

function schemaOf(route: Route) {
  return {
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...(route.body ? { body: route.body } : {}),
    response: { [route.ok.status]: route.ok.body },
  };
}
