import { randomBytes } from 'node:crypto';
import { ERRORS, type ErrorCode, fail } from '@keywright/contract/errors';
import type { CookieName } from '@keywright/contract/reply';
import { needsSameOrigin, pathTo, type Route } from '@keywright/contract/route';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import {
  type Cookie,
  cookieName,
  isFormToken,
  isSameOrigin,
  issueFormToken,
  readCookie,
  setCookie,
} from '../platform/http/pages/cookies.ts';
import { type Html, READ_ONLY, html, sendPage } from '../platform/http/pages/html.ts';
import type { Send } from '../platform/http/answer.ts';
import { type Page, SeeOther } from '../platform/http/replies.ts';
import type { Wishes } from '../platform/texts/locales.ts';
import type { Tenant } from './tenant.ts';

const FORM_TOKEN = 'form_token';
const FLOW_BYTES = 16;

/** The form of a page. */
export interface PageForm {
  /** Must be included in the form. Otherwise the submission is rejected. */
  readonly field: Html;
}

/** Returns the value of a cookie of this tenant; undefined if the browser sent none. */
export function cookieOf(
  { headers }: FastifyRequest,
  name: CookieName,
  tenant: Tenant,
): string | undefined {
  return readCookie(headers.cookie, cookieName(name, tenant));
}

/** Returns the cookies that a route can set, with the values from the browser. */
export function cookiesOf(
  { cookies: names = [] }: Route,
  request: FastifyRequest,
  tenant: Tenant | undefined,
): Partial<Record<CookieName, string>> {
  const cookies: Partial<Record<CookieName, string>> = {};
  if (!tenant || request.headers.cookie === undefined) return cookies;
  for (const name of names) {
    const value = cookieOf(request, name, tenant);
    if (value !== undefined) cookies[name] = value;
  }
  return cookies;
}

/** @throws AppError ORIGIN_REFUSED if a request that only our own pages send comes from another origin */
export function requireSameOrigin(route: Route, request: FastifyRequest, tenant: Tenant): void {
  const isAllowed = !needsSameOrigin(route) || isSameOrigin(request.headers, tenant.issuer);
  if (!isAllowed) fail('ORIGIN_REFUSED');
}

/** Returns the hook that processes a submitted form before its validation. */
export function beforeValidation(route: Route): Pick<RouteOptions, 'preValidation'> {
  const { form, method, body } = route;
  if (form === 'page' && method !== 'GET') {
    return {
      preValidation: async (request) =>
        takeFormToken(route, request, request.identity.tenant as Tenant),
    };
  }
  // The form can be absent: the credential alone, or a cookie that is read later, can make up the request.
  if ((form === 'accepted' || form === 'replayed') && !body?.required?.length) {
    return {
      preValidation: async (request) => {
        request.body ??= {};
      },
    };
  }
  return {};
}

/**
 * Removes the CSRF token from a submitted form.
 * @throws AppError FORM_TOO_OLD unless the token belongs to this browser's flow
 */
function takeFormToken(route: Route, request: FastifyRequest, tenant: Tenant): void {
  const { [FORM_TOKEN]: token, ...fields } = (request.body ?? {}) as Record<string, unknown>;
  const bound = cookieOf(request, boundTo(route), tenant);
  if (bound === undefined || !isFormToken(bound, token)) fail('FORM_TOO_OLD');
  request.body = fields;
}

/** Returns a page's form, bound to a cookie of the browser. Sets the cookie if it is missing. */
export function formOf(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: Tenant,
): PageForm {
  const name = boundTo(route);
  let bound = cookieOf(request, name, tenant);
  if (bound === undefined) {
    bound = randomBytes(FLOW_BYTES).toString('base64url');
    reply.header('set-cookie', setCookie({ name, value: bound }, tenant));
  }
  return {
    field: html`<input type="hidden" name="${FORM_TOKEN}" value="${issueFormToken(bound)}" />`,
  };
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Returns the sources of the user's language. Stores a language that they choose on one of our pages. */
export function wishesOf(
  { cookies = [] }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: Tenant | undefined,
): Wishes {
  if (!tenant || !cookies.includes('locale')) return {};
  const { locale: clicked } = request.query as { readonly locale?: string };
  if (clicked !== undefined && isSameOrigin(request.headers, tenant.issuer)) {
    const cookie = { name: 'locale', value: clicked, maxAgeSeconds: YEAR_SECONDS } as const;
    reply.header('set-cookie', setCookie(cookie, tenant));
  }
  const wishes = {
    chosen: clicked ?? cookieOf(request, 'locale', tenant),
    accepted: request.headers['accept-language'],
    usual: tenant.config.locales,
  };
  request.wishes = wishes;
  return wishes;
}

/** Redirects a form to the same path by GET, with its fields as the query. */
export function replay(
  route: Route,
  { params, body }: { readonly params: object; readonly body: object | undefined },
): SeeOther {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const item of [value].flat()) query.append(name, String(item));
  }
  return new SeeOther(`${pathTo(route, { ...params })}?${query.toString()}`);
}

/** Whether a route responds with pages or redirects. */
export function isToBrowser({ ok }: Route): boolean {
  return ok.kind === 'html' || ok.kind === 'redirect';
}

/** Sends pages and redirects, as the route declares them. */
export function pageSender(route: Route): Send {
  const policy = policyOf(route);
  return (answer, reply) => {
    const { cookies, ...rest } = answer as Answer;
    for (const cookie of cookies) setForTenant(cookie, reply);
    if ('location' in rest) {
      return void reply.header('location', rest.location);
    }
    const { refusal } = rest;
    reply.code(refusal === undefined ? 200 : ERRORS[refusal].status);
    if (refusal !== undefined) reply.request.facts.code = refusal;
    const { formTarget } = rest;
    return sendPage(reply, rest.html, formTarget ? { ...policy, formTarget } : policy);
  };
}

type Answer = Page<ErrorCode, CookieName> | SeeOther<CookieName>;

function policyOf({ ok }: Route) {
  return ('policy' in ok ? ok.policy : undefined) ?? READ_ONLY;
}

function setForTenant(cookie: Cookie, reply: FastifyReply): void {
  const { tenant } = reply.request.identity;
  if (!tenant) throw new Error(`There is no tenant to set ${cookie.name} for.`);
  reply.header('set-cookie', setCookie(cookie, tenant));
}

/** A logged-in user's forms expire with their session. */
function boundTo({ access }: Route): CookieName {
  return access === 'browser' ? 'session' : 'flow';
}
