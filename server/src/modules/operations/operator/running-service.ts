import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { OkOf } from '@keywright/contract/route';
import { getKeySet } from '@keywright/contract/routes/key-set';
import { health } from '@keywright/contract/routes/service';
import { codeOf } from '../../../platform/reason.ts';

const PATIENCE_MS = 3000;

/** Unreachable: names that do not resolve, closed ports, lost packets. */
const NOT_THERE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKET)$/;

/** The answer of an address to a request for the key set. */
export type KeySetAnswer =
  | { readonly kind: 'keys'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'not there' };

/** @param named whether the request names the default tenant, or the host has to select it */
export async function askForKeySet(baseUrl: string, named: boolean): Promise<KeySetAnswer> {
  try {
    const response = await fetch(baseUrl + getKeySet.path, {
      headers: named ? { 'x-tenant-id': DEFAULT_TENANT } : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return readAnswer(response.status, await response.text());
  } catch (error) {
    return failureOf(error);
  }
}

type Problems = NonNullable<OkOf<typeof health>['problems']>;

/** What a service that runs at this address reports of its settings. Nothing if none runs there. */
export async function askForProblems(address: string): Promise<Problems> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(address + health.path, { redirect: 'manual', signal });
    const { problems } = (parse(await response.text()) ?? {}) as { problems?: Problems };
    return Array.isArray(problems) ? problems : [];
  } catch {
    return [];
  }
}

function readAnswer(status: number, text: string): KeySetAnswer {
  const body = parse(text) as { keys?: { kid: string }[]; code?: string } | undefined;
  if (status !== 200) return { kind: 'refused', status, code: body?.code ?? '' };
  if (!Array.isArray(body?.keys)) return { kind: 'broken', reason: 'that is no key set' };
  return { kind: 'keys', ids: body.keys.map((key) => key.kid) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): KeySetAnswer {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(cause);
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const isGone =
    isLate ||
    NOT_THERE.test(code) ||
    (cause instanceof AggregateError && cause.errors.every((one) => NOT_THERE.test(codeOf(one))));
  return isGone ? { kind: 'not there' } : { kind: 'broken', reason: code || 'no HTTP' };
}
