import { AppError, ERRORS, type ErrorCode, fail } from '@keywright/contract/errors';
import { readOnlyFields } from '@keywright/contract/read-only';
import type { CookieName } from '@keywright/contract/reply';
import {
  type BodyOf,
  type ErrorsOf,
  type OkOf,
  type ParamsOf,
  type QueryOf,
  type Route,
  bodyLimitOf,
  isOfAnyTenant,
} from '@keywright/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { echoRequestId, resultSender, streamSender } from '../platform/http/answer.ts';
import { Prepared } from '../platform/http/replies.ts';
import { validator } from '../platform/http/validation.ts';
import { isEmpty } from '../platform/patch.ts';
import { type Admit, admitting, refuseFirst } from './admission.ts';
import {
  type IdentityMeans,
  type RequestIdentity,
  authorizeRequest,
  hasAccess,
  identify,
  isStillAuthorized,
  originOf,
  requireAccess,
  requireFreshLogin,
} from './authorization.ts';
import type { Call, CallerOf, Handler, TenantOf, PageCall, PageCallAs } from './call.ts';
import { type Caller, type Device, presentedCredential, presentedProof } from './caller.ts';
import type { DataKeys } from './data-keys.ts';
import type { SystemData } from './gate.ts';
import { type RepeatableRequest, readRepeatable } from './idempotency.ts';
import { RoutePaths, answerUnmatched, methodsOf } from './route-paths.ts';
import {
  beforeValidation,
  cookiesOf,
  formOf,
  isToBrowser,
  pageSender,
  replay,
  wishesOf,
} from './pages.ts';
import { RoutesByBody, changesIn, hasReadOnlyFields } from './request-bodies.ts';
import { findNamedTenant, requireActive, whileThere } from './resolve.ts';
import { type FindStored, StoredRoutes } from './stored-routes.ts';
import type { Tenant } from './tenant.ts';

const MAX_USER_AGENT = 512;

/** Called for each 403 to an authenticated caller, after the decision. */
export type OnDenial = (tenant: Tenant, caller: Caller, route: Route, code: ErrorCode) => void;

/** What requests need before and after their handler. */
interface Pipeline extends IdentityMeans {
  readonly server: FastifyInstance;
  readonly system: SystemData;
  readonly dataKeys: DataKeys;
  readonly onDenial: OnDenial;
  readonly now: () => Date;
}

/** Binds routes of the contract to their handlers. */
export class Router {
  readonly #pipeline: Pipeline;
  readonly #paths = new RoutePaths();
  readonly #routes: RoutesByBody;
  readonly #pageCalls: PageCalls;
  readonly #reads: Reads = new Map();
  readonly #stored: StoredRoutes;

  constructor(pipeline: Pipeline) {
    const { server, directory, now } = pipeline;
    this.#pipeline = pipeline;
    server.decorateRequest('identity');
    answerUnmatched(server, this.#paths, directory);
    this.#routes = new RoutesByBody(server);
    this.#pageCalls = new PageCalls(now);
    this.#stored = new StoredRoutes(directory);
    server.storedResponses.routeAt = (url) => this.#stored.at(url);
  }

  add<const R extends Route>(route: R, handler: Handler<R>): void {
    this.#add(route, handler);
  }

  /** Binds several routes to the same handler. */
  addAll<const R extends Route>(
    routes: readonly R[],
    handler: Handler<R>,
    admit?: Admit<ErrorsOf<R>>,
  ): void {
    for (const route of routes) this.#add(route, handler, admit);
  }

  /**
   * Binds routes whose responses depend only on the tenant and are usually in memory, from where they are sent without
   * the handler.
   */
  addStored<const R extends Route>(
    routes: readonly R[],
    handler: Handler<R>,
    find: FindStored,
  ): void {
    this.addAll(routes, handler);
    for (const route of routes) this.#stored.add(route, find);
  }

  /** Handles submitted forms by redirecting them to the same path by GET. */
  replay(route: Route & { readonly form: 'replayed' }): void {
    this.#add<Route>(route, (call) => replay(route, call));
  }

  /**
   * Calls a route's handler in this process, with a validated body, for a page of the service that does the same.
   * @throws AppError as the route does
   */
  readonly perform = <const R extends Route>(route: R, call: PageCall<R>): Promise<OkOf<R>> =>
    this.#pageCalls.perform(route, call);

  /** Calls a route's handler on behalf of a logged-in user who is allowed to use the route. */
  readonly performAs = <const R extends Route>(route: R, call: PageCallAs<R>): Promise<OkOf<R>> =>
    this.#pageCalls.performAs(route, call);

  #add<R extends Route>(route: R, handler: Handler<R>, admit?: Admit<ErrorsOf<R>>): void {
    this.#paths.add(route);
    this.#pageCalls.add(route, handler);
    if (route.method === 'GET') this.#reads.set(route.path, { route, handler });
    const call = withReadOnlyFields(route, this.#reads, callOn(route, this.#pipeline, handler));
    this.#routes.add(route, optionsOf(this.#pipeline, route, call, admit));
  }
}

function optionsOf<R extends Route>(
  pipeline: Pipeline,
  route: R,
  call: CallOn<R>,
  admit: Admit<ErrorsOf<R>> | undefined,
): RouteOptions {
  const { directory, onDenial } = pipeline;
  const isEager = route.begins === 'unconfirmed';
  const maxBytes = bodyLimitOf(route);
  const send = isToBrowser(route) ? pageSender(route) : resultSender(route);
  const open = route.ok.kind === 'stream' ? streamSender(route) : undefined;
  const requireAuthorized = (request: FastifyRequest) =>
    authorizeRequest(route, request, directory, pipeline.now);
  const options: RouteOptions = {
    // One route for GET and HEAD: Fastify's separate HEAD routes would be a third of all routes.
    method: methodsOf([route]),
    url: route.path,
    config: { routeId: route.id, errorForm: route.errorForm },
    ...validationOf(route),
    ...beforeValidation(route),
    // Authorizes before the body is read, so that unauthorized requests cause no work.
    onRequest: async (request, reply) => {
      request.bodyLimit = maxBytes;
      // RFC 6749 §5.1; every response has Cache-Control.
      if (route.errorForm === 'oauth') reply.header('pragma', 'no-cache');
      if (route.requestId === 'echo') echoRequestId(request, reply);
      request.identity = await identify(route, { request, reply }, pipeline);
      if (!isEager) await requireAuthorized(request);
    },
    onError: (request, _reply, error, done) => {
      reportDenial(route, request, error, onDenial);
      done();
    },
    handler: async (request, reply) => {
      reply.code(route.ok.status);
      const { tenant } = request.identity;
      const work = open ? () => open(call(request, reply), reply) : () => call(request, reply);
      const answer = tenant ? whileThere(directory, tenant.id, work, requireActive) : work();
      if (isEager) await before(requireAuthorized(request), answer);
      return send(await answer, reply);
    },
  };
  if (isEager) options.errorHandler = refuseFirst(requireAuthorized);
  if (admit) options.errorHandler = refuseFirst(admitting(admit));
  return options;
}

function validationOf(route: Route): Pick<RouteOptions, 'schema' | 'validatorCompiler'> {
  return {
    schema: schemaOf(route),
    validatorCompiler: ({ schema, httpPart }) => {
      if (httpPart !== 'body') return validator(schema, httpPart === 'querystring');
      const validate = validator(schema, false, route.invalidBody);
      if (readOnlyFields(route).length === 0) return validate;
      // Validated when the current record is known.
      return (body: unknown) => (hasReadOnlyFields(route, body) ? { value: body } : validate(body));
    },
  };
}

/** The GET routes by path. */
type Reads = Map<string, { readonly route: Route; readonly handler: Handler<Route> }>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Handles a PATCH whose body is the record as returned by GET: calls the handler with the changes, if there are any.
 */
function withReadOnlyFields<R extends Route>(route: R, reads: Reads, call: CallOn<R>): CallOn<R> {
  if (readOnlyFields(route).length === 0) return call;
  const callOnChanges = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!hasReadOnlyFields(route, request.body)) return call(request, reply);
    const record = await currentRecord(reads, route.path, request, reply);
    request.body = changesIn(route, request.body, record);
    const isDone = isEmpty(request.body as object) && isEmpty(request.query as object);
    return record && isDone ? record : call(request, reply);
  };
  return callOnChanges as CallOn<R>;
}

/** Returns the response of GET to this caller; undefined if the caller cannot read the record. */
async function currentRecord(
  reads: Reads,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Fields | undefined> {
  const read = reads.get(path);
  const { claimed } = request.identity;
  if (!read || !claimed || !hasAccess(read.route, claimed)) return undefined;
  const answer: unknown = await read.handler(callOf(read.route, request, reply, undefined), fail);
  const text = answer instanceof Prepared ? answer.text : JSON.stringify(answer);
  return JSON.parse(text) as Fields;
}

function reportDenial(
  route: Route,
  { identity }: FastifyRequest,
  error: unknown,
  onDenial: OnDenial,
): void {
  const { tenant, claimed } = identity ?? {};
  const isDenial = error instanceof AppError && ERRORS[error.code].status === 403;
  if (isDenial && tenant && claimed) onDenial(tenant, claimed, route, error.code);
}

/** Waits for authorization. A rejected caller gets that error, whatever the result of the work. */
async function before(authorized: Promise<void>, work: unknown): Promise<void> {
  if (work instanceof Promise) work.catch(() => undefined);
  await authorized;
}

type CallOn<R extends Route> = (
  request: FastifyRequest,
  reply: FastifyReply,
) => ReturnType<Handler<R>>;

/** Calls a handler. For an idempotent route, first looks for the stored response. */
function callOn<R extends Route>(route: R, pipeline: Pipeline, handler: Handler<R>): CallOn<R> {
  const { dataKeys } = pipeline;
  if (route.ok.kind === 'stream') {
    return (request, reply) => {
      const call = callOf(route, request, reply, undefined);
      const isStill = () => isStillAuthorized(route, request, pipeline);
      return handler({ ...call, isStillAuthorized: isStill as Call<R>['isStillAuthorized'] }, fail);
    };
  }
  if (isOfAnyTenant(route)) return callInTenant(route, pipeline, handler);
  if (!route.idempotent) {
    return (request, reply) => handler(callOf(route, request, reply, undefined), fail);
  }
  return async (request, reply) => {
    const { tenant, claimed } = request.identity as Required<RequestIdentity>;
    const repeatable = await readRepeatable(dataKeys, tenant.id, claimed, route, request);
    return handler(callOf(route, request, reply, repeatable), fail);
  };
}

/** Calls the handler of a list in the tenant named in its query. */
function callInTenant<R extends Route>(
  route: R,
  pipeline: Pipeline,
  handler: Handler<R>,
): CallOn<R> {
  const callNamed = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const tenant = await findNamedTenant(route, request, pipeline);
    const call = callOf(route, request, reply, undefined);
    return handler({ ...call, tenant: tenant as TenantOf<R> }, fail);
  };
  return callNamed as CallOn<R>;
}

function callOf<R extends Route>(
  route: R,
  request: FastifyRequest,
  reply: FastifyReply,
  repeatable: RepeatableRequest | undefined,
): Call<R> {
  const { identity } = request;
  const hasForm = route.form === 'page' && identity.tenant !== undefined;
  const form = hasForm ? formOf(route, request, reply, identity.tenant) : undefined;
  const caller = route.begins === 'unconfirmed' ? identity : identity.claimed;
  const cookies = cookiesOf(route, request, identity.tenant);
  return {
    tenant: identity.tenant as TenantOf<R>,
    caller: caller as CallerOf<R>,
    repeatable: repeatable as Call<R>['repeatable'],
    params: request.params as ParamsOf<R>,
    query: request.query as QueryOf<R>,
    body: (route.lines ? undefined : request.body) as BodyOf<R>,
    lines: (route.lines ? (request.body ?? []) : undefined) as Call<R>['lines'],
    cookies,
    form: form as Call<R>['form'],
    wishes: wishesOf(route, request, reply, identity.tenant),
    address: request.peer.address,
    host: request.peer.host ?? '',
    from: originOf(request),
    device: deviceOf(request, cookies),
    credential: route.access === 'tenant' ? presentedCredential(request) : undefined,
    proof: presentedProof(request),
    isStillAuthorized: undefined as Call<R>['isStillAuthorized'],
    headers: request.headers,
  };
}

function deviceOf(
  request: FastifyRequest,
  { device: token }: Partial<Record<CookieName, string>>,
): Device {
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null;
  return { from: originOf(request), userAgent, ...(token !== undefined && { token }) };
}

function schemaOf(route: Route) {
  return {
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...(route.body ? { body: route.checkedBody ?? route.body } : {}),
    ...(route.ok.body ? { response: { [route.ok.status]: route.ok.body } } : {}),
  };
}

interface Bound {
  readonly handler: Handler<Route>;
  readonly checkBody: ReturnType<typeof validator> | undefined;
  readonly checkQuery: ReturnType<typeof validator> | undefined;
}

/** Handlers of JSON routes that the pages of the service can call: open routes, and routes for users in person. */
class PageCalls {
  readonly #bound = new Map<string, Bound>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  add<R extends Route>(route: R, handler: Handler<R>): void {
    const isOpen = route.access === 'tenant' && route.method === 'POST';
    const isOfUser = route.access === 'user' || route.access === 'caller';
    if ((!isOpen && !isOfUser) || (route.ok.kind ?? 'json') !== 'json') return;
    const checkBody = route.body && validator(route.body, false);
    const checkQuery = route.query && validator(route.query, true);
    this.#bound.set(route.id, { handler, checkBody, checkQuery });
  }

  perform<R extends Route>(route: R, call: PageCall<R>): Promise<OkOf<R>> {
    if (route.access !== 'tenant') throw new Error(`${route.id} needs a caller.`);
    return this.#call(route, call, {});
  }

  /** @throws AppError as the route does, if the caller lacks access or logged in too long ago */
  async performAs<R extends Route>(route: R, call: PageCallAs<R>): Promise<OkOf<R>> {
    const { caller, query, tenant } = call;
    requireAccess(route, caller);
    requireFreshLogin(route, tenant, caller, this.#now());
    const seen = route.begins === 'unconfirmed' ? { claimed: caller } : caller;
    return this.#call(route, call, { caller: seen, query });
  }

  async #call<R extends Route>(route: R, call: PageCall<R>, more: object): Promise<OkOf<R>> {
    const bound = this.#bound.get(route.id);
    if (!bound) throw new Error(`${route.id} cannot be called by pages.`);
    const { tenant, params, body, device, locale } = call;
    for (const checked of [
      bound.checkBody?.(body),
      'query' in more ? bound.checkQuery?.(more.query) : undefined,
    ]) {
      if (checked && 'error' in checked) throw checked.error;
    }
    const { from } = device;
    const handlerCall: Partial<Call<Route>> = {
      tenant,
      params,
      body,
      device,
      from,
      address: from.address,
      host: '',
      headers: locale === undefined ? {} : { 'accept-language': locale },
      ...more,
    };
    const answer: unknown = await bound.handler(handlerCall as Call<Route>, fail);
    return (answer instanceof Prepared ? JSON.parse(answer.text) : answer) as OkOf<R>;
  }
}
