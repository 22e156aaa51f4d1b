// The requests of the matrix: each route's example, changed in one respect.

import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@keywright/contract/errors';
import { isPage, needsToken, pathTo, type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { REGISTRATION_ROUTES } from '@keywright/contract/routes/registration';
import { RECEIVER_ROUTES } from '@keywright/contract/routes/signals';
import { USERINFO_ROUTES } from '@keywright/contract/routes/userinfo';
import type { Answer, JsonBody, RequestOptions } from '../harness/http.ts';
import { claimsOf } from '../harness/token.ts';
import { pathParametersOf, pathRecord, presentPath, requestParts } from './examples.ts';
import { PREPARATIONS, type RequestParts } from './requests.ts';
import type { World } from './world.ts';

/** Pages of a tenant have their own matrix, in `pages.test.ts`. */
export const MATRIX_ROUTES = ROUTES.filter((route) => route.access === 'open' || !isPage(route));

/** Each access level of the contract is in exactly one of these. */
export const CLASSES: Readonly<Record<string, (route: Route) => boolean>> = {
  open: ({ access }) => access === 'open',
  tenant: ({ access, tenant }) => access === 'tenant' && tenant === undefined,
  issuer: ({ access, tenant }) => access === 'tenant' && tenant === 'path',
  caller: ({ access, tenant }) => access === 'caller' && tenant === undefined,
  callerOfIssuer: ({ access, tenant }) => access === 'caller' && tenant === 'path',
  user: ({ access }) => access === 'user',
  scope: (route) => scopeOf(route) !== undefined,
  system: ({ access }) => access === 'system',
};

export function routesOf(...classes: readonly string[]): readonly Route[] {
  return MATRIX_ROUTES.filter((route) => classes.some((name) => CLASSES[name]?.(route)));
}

export const nameOf = ({ method, path }: Route) => `${method} ${path}`;

export interface RequestChanges extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Sends a route's example request in the own tenant, changed by the options. */
export async function sendExample(
  world: World,
  route: Route,
  changes: RequestChanges = {},
): Promise<Answer<JsonBody>> {
  const { path, query, ...options } = changes;
  const parts = await requestParts(route, world.local);
  const filled = pathTo(route, { ...presentPath(route, world.local), ...path });
  const search = new URLSearchParams({ ...parts.query, ...(query as Record<string, string>) });
  const target = search.size > 0 ? `${filled}?${search.toString()}` : filled;
  const body = bodyOf(parts);
  const headers = parts.headers === undefined ? {} : { headers: parts.headers };
  return world.request(route.method, target, {
    tenant: world.local.tenant.id,
    ...body,
    ...headers,
    ...options,
  });
}

function bodyOf({ body, lines }: RequestParts): RequestOptions {
  if (!lines) return body === undefined ? {} : { body };
  const rawBody = lines.map((line) => JSON.stringify(line)).join('\n');
  return { rawBody, contentType: 'application/x-ndjson' };
}

/** Sends a request about records that no other request uses. */
export async function sendFreshExample(
  world: World,
  route: Route,
  options: RequestOptions,
): Promise<Answer<JsonBody>> {
  const path: Record<string, string> = {};
  for (const name of pathParametersOf(route)) {
    path[name] = await pathRecord(name, route).make(world);
  }
  await PREPARATIONS[route.id]?.(path, world);
  return sendExample(world, route, { ...options, path });
}

/** Routes that check a token themselves, because a form can contain it. */
const OF_APPLICATIONS: readonly string[] = USERINFO_ROUTES.map(({ id }) => id);
/** Routes for receivers of shared signals, whose tokens are not valid elsewhere. */
const OF_RECEIVERS: readonly string[] = RECEIVER_ROUTES.map(({ id }) => id);

/** Routes where applications register with a credential, or manage their registration with its access token. */
const OF_REGISTRATIONS: readonly string[] = REGISTRATION_ROUTES.map(({ id }) => id);

/** Whether a request needs a credential, whatever error the route returns without one. */
export function needsCredential(route: Route): boolean {
  return rejectsAnonymous(route) || OF_REGISTRATIONS.includes(route.id);
}

/** Whether a route rejects requests without a token. */
export function rejectsAnonymous(route: Route): boolean {
  return needsToken(route) || [...OF_APPLICATIONS, ...OF_RECEIVERS].includes(route.id);
}

/**
 * Returns credentials that the route accepts: those of a system administrator, of an application, of a user who deletes
 * their account, or of a new registration if the route requires them, otherwise the tenant administrator's.
 */
export async function entitled(world: World, route: Route): Promise<RequestOptions> {
  if (route.id === 'me.delete') return { token: (await world.local.leaver()).token };
  if (OF_REGISTRATIONS.includes(route.id) && route.method !== 'POST') {
    return { token: await world.local.registerApplication() };
  }
  if (OF_APPLICATIONS.includes(route.id)) return { token: await world.local.openApplication() };
  if (OF_RECEIVERS.includes(route.id)) return { token: await world.local.tokenOfReceiver() };
  return route.access === 'system' ? world.system : { token: await world.freshAdminToken() };
}

/** All parts of a response that could disclose something to a caller. */
function visiblePartsOf({ status, headers, text }: Answer<JsonBody>) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

/** Replaces the access token of a response by its claims, and removes other secrets: both always differ. */
export function withTokenClaims(answer: Answer<JsonBody>): Answer<JsonBody> {
  const { 'content-length': _length, ...headers } = answer.headers;
  // The status of a token, which differs for each request.
  const { active, iss: issuer, aud: audience, tenant_id: tenantId } = answer.body;
  if (active === true) {
    return { ...answer, headers, text: JSON.stringify({ active, issuer, audience, tenantId }) };
  }
  // The authorization code is readable only by the tenant.
  if (typeof answer.body['authorization_code'] === 'string') {
    return { ...answer, headers, text: Object.keys(answer.body).join() };
  }
  const { device_code: deviceCode, user_code: userCode } = answer.body;
  if (typeof deviceCode === 'string') {
    const text = answer.text.replaceAll(deviceCode, '').replaceAll(String(userCode), '');
    return { ...answer, headers, text };
  }
  const { registration_client_uri: here } = answer.body;
  if (typeof here === 'string') {
    const {
      client_id: _,
      client_secret: __,
      registration_access_token: ___,
      ...metadata
    } = answer.body;
    const shown = { ...metadata, registration_client_uri: here.slice(0, here.lastIndexOf('/')) };
    return { ...answer, headers, text: JSON.stringify(shown) };
  }
  const { stream_id: stream } = answer.body;
  if (typeof stream === 'string') {
    return { ...answer, headers, text: answer.text.replaceAll(stream, '') };
  }
  const { access_token: token, request_uri: uri, ...rest } = answer.body;
  if (typeof uri === 'string') return { ...answer, headers, text: JSON.stringify(rest) };
  if (typeof token !== 'string') return answer;
  const { iss, aud, sub, tenant_id } = claimsOf(token);
  return { ...answer, headers, text: JSON.stringify({ ...rest, iss, aud, sub, tenant_id }) };
}

/** A response with placeholders for the name that the caller sent, which it may repeat, and for a new flow. */
export function withoutEcho(answer: Answer<JsonBody>, sent: unknown): Answer<JsonBody> {
  const { 'content-length': _length, ...headers } = answer.headers;
  const text = answer.text
    .replaceAll(String(sent), '<sent>')
    .replaceAll(/"(login|lft)_[^"]+"/g, '"<new>"');
  return { ...answer, headers, text };
}

export function assertSame(answer: Answer<JsonBody>, other: Answer<JsonBody>): void {
  assert.deepEqual(visiblePartsOf(answer), visiblePartsOf(other));
}

export function assertRefused(answer: Answer<JsonBody>, code: ErrorCode, what?: string): void {
  const message = `${what ?? 'the request'} got ${answer.status} ${answer.text}`;
  assert.equal(answer.status, ERRORS[code].status, message);
  assert.equal(answer.body['code'], code, message);
}
