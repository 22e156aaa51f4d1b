import { Readable } from 'node:stream';
import { AppError, type ErrorCode, ERRORS, type Fail, fail } from '@keywright/contract/errors';
import {
  type BodyOf,
  type ErrorsOf,
  type OkOf,
  type ParamsOf,
  type QueryOf,
  needsAdministrator,
  type Route,
  scopeOf,
} from '@keywright/contract/route';
import { missingScopes } from '@keywright/contract/scopes';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { acceptForms } from '../platform/http/form.ts';
import { validator } from '../platform/http/validation.ts';
import { type Caller, nameOf, type Origin, type UserCaller } from './caller.ts';
import type { TenantDirectory } from './directory.ts';
import { Prepared, Streamed } from './prepared.ts';
import { requireActive, resolveTenant, whileThere } from './resolve.ts';
import type { Tenant } from './tenant.ts';

/**
 * Finds out who calls, from the bearer token or API key, within the tenant.
 * @throws AppError TOKEN_INVALID, TENANT_MISMATCH
 */
export type Authenticate = (tenant: Tenant, token: string, from: Origin) => Promise<Caller>;

interface Admitted {
  tenant?: Tenant;
  caller?: Caller;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted;
  }
}

type TenantOf<R extends Route> = R['access'] extends 'open' ? undefined : Tenant;
type CallerOf<R extends Route> = R['access'] extends 'open' | 'tenant'
  ? undefined
  : R['access'] extends 'user' | 'system'
    ? UserCaller
    : Caller;

/** One request as its handler sees it: checked, within its tenant, from a known caller. */
export interface Call<R extends Route> {
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

type AnswerOf<R extends Route> = OkOf<R> | Prepared<OkOf<R>> | Streamed<OkOf<R>>;

type Handler<R extends Route> = (
  call: Call<R>,
  fail: Fail<ErrorsOf<R>>,
  reply: FastifyReply,
) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** Binds routes of the contract to their handlers. */
export interface Router {
  add<const R extends Route>(route: R, handler: Handler<R>): void;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i;
const MAX_USER_AGENT = 512;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Told of each answer of 403 to somebody known, after it was decided. */
export type OnDenial = (tenant: Tenant, caller: Caller, route: Route, code: ErrorCode) => void;

export function createRouter(
  server: FastifyInstance,
  directory: TenantDirectory,
  authenticate: Authenticate,
  onDenial: OnDenial,
): Router {
  server.decorateRequest('admitted');
  return {
    add(route, handler) {
      const options: RouteOptions = {
        method: route.method,
        url: route.path,
        config: { routeId: route.id, oauth: route.oauth === true },
        schema: schemaOf(route),
        validatorCompiler: ({ schema, httpPart }) => validator(schema, httpPart === 'querystring'),
        // Before the body is read: nobody gets work done who isn't let in.
        onRequest: async (request) => {
          request.admitted = await identify(route, request, directory, authenticate);
          const { caller } = request.admitted;
          if (caller) admit(route, caller);
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
          const work = () => handler(callOf(request), fail, reply);
          const answer = await (tenant ? inside(directory, tenant, work) : work());
          if (answer instanceof Prepared) return reply.type(JSON_TYPE).send(answer.text);
          if (answer instanceof Streamed) {
            return reply.type(answer.contentType).send(Readable.from(answer.chunks));
          }
          return answer;
        },
      };
      if (route.oauth !== true) return void server.route(options);
      // A context of its own: no other route takes forms, which any page of anywhere can send.
      void server.register((context, _options, done) => {
        acceptForms(context);
        context.route(options);
        done();
      });
    },
  };
}

/** Which tenant a request is for, and who makes it. */
async function identify(
  route: Route,
  request: FastifyRequest,
  directory: TenantDirectory,
  authenticate: Authenticate,
): Promise<Admitted> {
  if (route.access === 'open') return {};
  // Net 3 of tenant isolation: the tenant first, the credential inside it.
  const tenant = await resolveTenant(directory, request.headers, request.peer.host);
  request.facts.tenant = tenant.id;
  if (route.access === 'tenant') return { tenant };
  const caller = await inside(directory, tenant, () =>
    authenticate(tenant, bearerToken(request), originOf(request)),
  );
  request.facts.subject = nameOf(caller);
  // A visitor's session is one of another tenant: whether this one is still there, only this one can tell.
  if (caller.kind === 'visitor') requireActive(await directory.askById(tenant.id));
  return { tenant, caller };
}

/** A request that is overtaken by the deletion of its tenant is answered as the one after it is. */
function inside<T>(
  directory: TenantDirectory,
  { id }: Tenant,
  work: () => Promise<T> | T,
): Promise<T> {
  return whileThere(directory, id, work, requireActive);
}

function admit(route: Route, caller: Caller): void {
  requireKind(route, caller);
  requireScope(route, caller);
}

function originOf(request: FastifyRequest): Origin {
  return { address: request.peer.address, requestId: request.id };
}

function bearerToken(request: FastifyRequest): string {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return token ?? fail('TOKEN_INVALID');
}

function requireKind(route: Route, caller: Caller): void {
  if (route.access === 'user' && caller.kind !== 'user') {
    fail(caller.kind === 'visitor' ? 'VISITOR_REFUSED' : 'USER_REQUIRED');
  }
  if (route.access === 'system' && !caller.isSystemAdministrator) {
    fail('SYSTEM_ADMINISTRATOR_REQUIRED');
  }
  // SPEC authentication 9b. An agent that acts for a user is no administrator either.
  if (needsAdministrator(route) && (caller.kind === 'agent' || caller.kind === 'delegate')) {
    fail('ADMINISTRATOR_REQUIRED');
  }
}

function requireScope(route: Route, caller: Caller): void {
  const needed = scopeOf(route);
  if (needed === undefined) return;
  const missing = missingScopes(caller.scopes, [needed]);
  if (missing.length > 0)
    fail('SCOPE_REQUIRED', { detail: `The token lacks: ${missing.join(', ')}.` });
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
