import { HOME } from '../url/home.ts';
import { isInside } from '../url/inside.ts';
import { Problem } from './problem.ts';
import {
  type AnswerOf,
  factsOfRoute,
  type Input,
  type InputOf,
  pathOf,
  type RouteId,
} from './routes.ts';

/** A page of another origin cannot send this header. */
const MARK = { 'x-keywright-console': '1' };

/**
 * Calls a route of the public API with the browser's session.
 * @throws Problem
 */
export async function call<Id extends RouteId>(
  tenant: string,
  id: Id,
  input: InputOf<Id>,
  signal?: AbortSignal,
): Promise<AnswerOf<Id>> {
  const { method, isIdempotent } = factsOfRoute(id);
  const callInput: Input = input;
  const answer = await request(`${apiOf(tenant)}${pathOf(id, callInput)}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(callInput.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isIdempotent ? { 'idempotency-key': crypto.randomUUID() } : {}),
    },
    ...(callInput.body === undefined ? {} : { body: JSON.stringify(callInput.body) }),
    ...(signal && { signal }),
  });
  return (answer.status === 204 ? undefined : await answer.json()) as AnswerOf<Id>;
}

/** Requests a route's response in another format. */
export function fetchAs(
  tenant: string,
  id: RouteId,
  input: Input,
  accept: string,
): Promise<Response> {
  return request(`${apiOf(tenant)}${pathOf(id, input)}`, { headers: { accept } });
}

/** Opens a response that is read as a stream. @param lastId ID of the event to resume after */
export async function openStream(
  tenant: string,
  id: RouteId,
  input: Input,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers = {
    accept: 'text/event-stream',
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  };
  const { body } = await request(`${apiOf(tenant)}${pathOf(id, input)}`, { headers, signal });
  if (!body) throw new Problem(0, undefined);
  return body;
}

/** Fetches the public keys of the tenant. */
export async function fetchKeys(tenant: string): Promise<readonly JsonWebKey[]> {
  const answer = await request('/.well-known/jwks.json', { headers: { 'x-tenant-id': tenant } });
  const { keys } = (await answer.json()) as { readonly keys: readonly JsonWebKey[] };
  return keys;
}

/** Fetches the base address of a tenant's pages: its issuer, which is its own host or a path (RFC 8414 §3.1). */
export async function fetchIssuer(tenant: string, signal: AbortSignal): Promise<string> {
  const address = `/.well-known/oauth-authorization-server/t/${encodeURIComponent(tenant)}`;
  const answer = await request(address, { signal });
  const { issuer } = (await answer.json()) as { readonly issuer: string };
  return issuer;
}

/** Fetches the tenant of the host, for an address that names none. */
export async function fetchTenant(): Promise<string> {
  const answer = await request('/console/tenant', {});
  const { tenant_id: tenant } = (await answer.json()) as { readonly tenant_id: string };
  return tenant;
}

/** Whether this browser is logged in to a tenant, without a response that a browser treats as a failure. */
export async function fetchSession(tenant: string, signal: AbortSignal): Promise<boolean> {
  const address = `/t/${encodeURIComponent(tenant)}/console/session`;
  const answer = await request(address, { signal });
  const { is_logged_in: isLoggedIn } = (await answer.json()) as { readonly is_logged_in: boolean };
  return isLoggedIn;
}

/**
 * Returns the base path of a tenant's API for the browser's session. The system administrators' home tenant is called
 * as its user, also from inside another tenant.
 */
export function apiOf(tenant: string): string {
  const place = isInside && tenant !== HOME ? 'in/t' : 't';
  return `/console/api/${place}/${encodeURIComponent(tenant)}`;
}

/** @throws Problem, or the reason of the abort */
export async function request(address: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(address, {
    ...options,
    headers: { ...(options.headers as Record<string, string>), ...MARK },
    credentials: 'same-origin',
    redirect: 'error',
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw new Problem(0, undefined);
  });
  if (answer.ok) return answer;
  const body: unknown = await answer.json().catch(() => undefined);
  throw new Problem(answer.status, body, answer.headers);
}
