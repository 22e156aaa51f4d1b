import { DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import {
  type AccountExport,
  type ExportedList,
  MOST_EXPORTED,
  EXPORTED_LISTS,
} from '@keywright/contract/records/account-export';
import type { UserRecord } from '@keywright/contract/records/user';
import type { OkOf, Route } from '@keywright/contract/route';
import { listOwnLog } from '@keywright/contract/routes/audit';
import { listOwnConsents } from '@keywright/contract/routes/consents';
import { listDelegations } from '@keywright/contract/routes/delegations';
import { listFactors } from '@keywright/contract/routes/factors';
import { listIdentities } from '@keywright/contract/routes/identities';
import { getMe } from '@keywright/contract/routes/me';
import { listOwnInvitations } from '@keywright/contract/routes/own-invitations';
import { listOwnWorkspaces } from '@keywright/contract/routes/own-workspaces';
import { getProfile } from '@keywright/contract/routes/profile';
import { listSessions } from '@keywright/contract/routes/sessions';
import { ownCallerOf } from '../../../tenancy/own-caller.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ExportJob } from './account-store.ts';

type PerformAs = Router['performAs'];

/** An export has no device, because the service itself makes the requests. */
const DEVICE = { from: { address: '', requestId: '' }, userAgent: null };

/** Calls a route as the user. */
type CallRoute = (route: Route, query: object) => Promise<unknown>;

interface Page {
  readonly items: unknown[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

/** Everything that users can read about their account. API routes return it, so it exposes nothing they hide. */
export async function collectContent(
  performAs: PerformAs,
  tenant: Tenant,
  { id: userId, session_id: sessionId }: Pick<ExportJob, 'id' | 'session_id'>,
  now: Date,
): Promise<AccountExport> {
  const login = { userId, sessionId, workspaceId: DEFAULT_WORKSPACE, authTime: now };
  const caller = ownCallerOf(tenant, { ...login, acr: 'aal1', expiresAt: now }, DEVICE.from);
  const call: CallRoute = (route, query) =>
    performAs(route, { tenant, caller, device: DEVICE, params: {}, query, body: undefined });
  const shortened: ExportedList[] = [];
  const whole = async <const R extends Route>(route: R, name: ExportedList) => {
    const { items, isWhole } = await readAll(call, route);
    if (!isWhole) shortened.push(name);
    return items as ItemsOf<R>;
  };
  return {
    tenant_id: tenant.id,
    exported_at: now.toISOString(),
    shortened,
    user: (await call(getMe, {})) as UserRecord,
    profile: (await call(getProfile, {})) as OkOf<typeof getProfile>,
    factors: await whole(listFactors, 'factors'),
    identities: await whole(listIdentities, 'identities'),
    sessions: await whole(listSessions, 'sessions'),
    consents: await whole(listOwnConsents, 'consents'),
    delegations: await whole(listDelegations, 'delegations'),
    workspaces: await whole(listOwnWorkspaces, 'workspaces'),
    invitations: await whole(listOwnInvitations, 'invitations'),
    log: await whole(listOwnLog, 'log'),
  };
}

type ItemsOf<R extends Route> = OkOf<R> extends { readonly items: infer Items } ? Items : never;

const PAGE = 100;

/** Reads a list by cursor, or by page number if it has no cursors; such lists are short. */
async function readAll(
  call: CallRoute,
  route: Route,
): Promise<{ readonly items: unknown[]; readonly isWhole: boolean }> {
  const items: unknown[] = [];
  for (let page = 1, cursor: string | undefined; items.length < MOST_EXPORTED; page += 1) {
    const at = cursor === undefined ? { page } : { cursor };
    const read = (await call(route, { limit: PAGE, ...at })) as Page;
    items.push(...read.items);
    cursor = read.meta.next_cursor;
    const isLast = cursor === undefined && items.length >= read.meta.total;
    if (isLast || read.items.length === 0) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

const LARGEST_BYTES = 4 * 1024 * 1024;

/**
 * Halves the longest list until the whole is small enough. Its last entries, which are the oldest, are dropped first.
 * @param largest in bytes of JSON
 * @throws Error if all lists are empty: the other records of a user are bounded
 */
export function shorten(whole: AccountExport, largest = LARGEST_BYTES): AccountExport {
  let size = sizeOf(whole);
  if (size <= largest) return whole;
  // A list is measured once, and again after each change: lists are long, and measuring blocks all requests.
  const lists = new Map(EXPORTED_LISTS.map((name) => [name, measured(whole[name])]));
  const shortened = new Set(whole.shortened);
  while (size > largest) {
    const [name, { list, bytes }] = longestOf(lists);
    if (list.length === 0) throw new Error('The export of an empty account is too large.');
    const half = measured(list.slice(0, Math.floor(list.length / 2)));
    lists.set(name, half);
    // The list's name is added to `shortened`, in quotes and with a comma.
    size += half.bytes - bytes + (shortened.has(name) ? 0 : name.length + 3);
    shortened.add(name);
  }
  const fitting = [...lists].map(([name, { list }]) => [name, list] as const);
  return { ...whole, ...Object.fromEntries(fitting), shortened: [...shortened] };
}

interface Measured {
  readonly list: readonly unknown[];
  /** Of its JSON. */
  readonly bytes: number;
}

function measured(list: readonly unknown[]): Measured {
  return { list, bytes: sizeOf(list) };
}

function longestOf(lists: ReadonlyMap<ExportedList, Measured>): [ExportedList, Measured] {
  return [...lists].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
