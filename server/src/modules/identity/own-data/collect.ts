import { DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import {
  type AccountExport,
  type ExportedList,
  MOST_EXPORTED,
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
import type { Clock } from '../../../platform/clock.ts';
import { ownCallerOf } from '../../../tenancy/own-caller.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ExportJob } from './store.ts';

type PerformAs = Router['performAs'];

/** Where it is asked from: nowhere. */
const DEVICE = { from: { address: '', requestId: '' }, userAgent: null };

/** Calls of the user, as their own client makes them. */
interface Own {
  readonly call: (route: Route, query: object) => Promise<unknown>;
}

interface Page {
  readonly items: unknown[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

/** What a user can read of their own account. It is read by those routes, so a copy has nothing that they do not show. */
export async function collect(
  performAs: PerformAs,
  clock: Clock,
  tenant: Tenant,
  { id: userId, session_id: sessionId }: Pick<ExportJob, 'id' | 'session_id'>,
): Promise<AccountExport> {
  const now = clock.now();
  const login = { userId, sessionId, workspaceId: DEFAULT_WORKSPACE, authTime: now };
  const caller = ownCallerOf(tenant, { ...login, acr: 'aal1', expiresAt: now }, DEVICE.from);
  const call: Own['call'] = (route, query) =>
    performAs(route, { tenant, caller, device: DEVICE, params: {}, query, body: undefined });
  const shortened: ExportedList[] = [];
  const whole = async <const R extends Route>(route: R, name: ExportedList) => {
    const { items, isWhole } = await readAll({ call }, route);
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

/** By cursor where there is one; a list without any is short, and has pages by number. */
async function readAll(
  { call }: Own,
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
