// How the matrix asks: each route as its example says, changed in one thing.

import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@keywright/contract/errors';
import { isPage, pathTo, type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import type { Answer, AnyBody, RequestOptions } from '../harness/http.ts';
import { claimsOf } from '../harness/token.ts';
import { pathParametersOf, pathRecord, presentPath, requestParts } from './examples.ts';
import { PREPARATIONS } from './requests.ts';
import type { World } from './world.ts';

/** Pages that belong to a tenant have a matrix of their own, in `pages.test.ts`. */
export const MATRIX_ROUTES = ROUTES.filter((one) => one.access === 'open' || !isPage(one));

/** Each access level of the contract is in one of these, and in one only. */
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

export interface Asking extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** A route of the own tenant, asked as its example says and as the options change it. */
export async function ask(
  world: World,
  route: Route,
  asking: Asking = {},
): Promise<Answer<AnyBody>> {
  const { path, query, ...options } = asking;
  const parts = await requestParts(route, world.own);
  const filled = pathTo(route, { ...presentPath(route, world.own), ...path });
  const search = new URLSearchParams({ ...parts.query, ...(query as Record<string, string>) });
  const target = search.size > 0 ? `${filled}?${search.toString()}` : filled;
  const body = parts.body === undefined ? {} : { body: parts.body };
  return world.ask(route.method, target, { tenant: world.own.tenant.id, ...body, ...options });
}

/** Asks for records that nothing else asks for. */
export async function askForNew(
  world: World,
  route: Route,
  options: RequestOptions,
): Promise<Answer<AnyBody>> {
  const path: Record<string, string> = {};
  for (const name of pathParametersOf(route)) {
    path[name] = await pathRecord(name, route).make(world);
  }
  await PREPARATIONS[route.id]?.(path, world);
  return ask(world, route, { ...options, path });
}

/** Who may ask this route: a system administrator where it takes one, else the tenant's own. */
export async function entitled(world: World, route: Route): Promise<RequestOptions> {
  return route.access === 'system' ? world.system : { token: await world.freshAdminToken() };
}

/** All of an answer that a caller could learn something from. */
function faceOf({ status, headers, text }: Answer<AnyBody>) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

/** An answer with whom its access token names in place of the token, which is another one each time. */
export function withTokenRead(answer: Answer<AnyBody>): Answer<AnyBody> {
  const { access_token: token, ...rest } = answer.body;
  if (typeof token !== 'string') return answer;
  const { iss, aud, sub, tenant_id } = claimsOf(token);
  const { 'content-length': _length, ...headers } = answer.headers;
  return { ...answer, headers, text: JSON.stringify({ ...rest, iss, aud, sub, tenant_id }) };
}

/** An answer with a placeholder for the name that the caller sent, which it may repeat. */
export function withoutSent(answer: Answer<AnyBody>, sent: unknown): Answer<AnyBody> {
  const { 'content-length': _length, ...headers } = answer.headers;
  return { ...answer, headers, text: answer.text.replaceAll(String(sent), '<sent>') };
}

export function assertSame(one: Answer<AnyBody>, other: Answer<AnyBody>): void {
  assert.deepEqual(faceOf(one), faceOf(other));
}

export function assertRefused(answer: Answer<AnyBody>, code: ErrorCode, what?: string): void {
  const told = `${what ?? 'the request'} got ${answer.status} ${answer.text}`;
  assert.equal(answer.status, ERRORS[code].status, told);
  assert.equal(answer.body['code'], code, told);
}
