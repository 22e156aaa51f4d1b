import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import {
  readBrowserLogins,
  type ReadBrowserLoginsRow,
} from '../../../../sql/tokens/kw_read_browser_logins.ts';
import {
  findConsoleUsers,
  type FindConsoleUsersRow,
} from '../../../../sql/tokens/kw_find_console_users.ts';
import { writeBrowserUses as writeUses } from '../../../../sql/tokens/kw_write_browser_uses.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Use } from '../../../tenancy/uses.ts';

export type BrowserSessionRow = Exclude<ReadBrowserLoginsRow, { readonly user_id: null }>;

/** The secret of a cookie, and the client for which it is read. */
interface Presented {
  readonly tenantId: TenantId;
  readonly session: SessionId;
  readonly secretHash: Buffer;
  readonly client: OAuthClientId | null;
  readonly now: Date;
}

/** What the secret of a cookie continues, with what its user allows this client. Concurrent requests are one statement. */
export function createFindBySecret(
  gate: Gate,
): (presented: Presented) => Promise<BrowserSessionRow | undefined> {
  const find = async (asked: readonly Presented[]) => {
    const rows = await gate.callMany(readBrowserLogins, {
      tenants: asked.map(({ tenantId }) => tenantId),
      sessions: asked.map(({ session }) => session),
      secretHashes: asked.map(({ secretHash }) => secretHash),
      clients: asked.map(({ client }) => client),
      now: asked.map(({ now }) => now),
    });
    return rows.map((row) => (row.user_id === null ? undefined : row));
  };
  return batched(find, { size: 64, flights: 2 });
}

export type ConsoleUserRow = Exclude<FindConsoleUsersRow, { readonly user_id: null }>;

/** The secret of a cookie, and how long ago its session may last have been used and logged in to. */
interface PresentedToConsole extends Omit<Presented, 'client'> {
  readonly usedAfter: Date;
  readonly madeAfter: Date;
}

/** The user of a session that the console accepts. Concurrent requests are one statement. */
export function createFindConsoleUser(
  gate: Gate,
): (presented: PresentedToConsole) => Promise<ConsoleUserRow | undefined> {
  const find = async (asked: readonly PresentedToConsole[]) => {
    const rows = await gate.callMany(findConsoleUsers, {
      tenants: asked.map(({ tenantId }) => tenantId),
      sessions: asked.map(({ session }) => session),
      secretHashes: asked.map(({ secretHash }) => secretHash),
      now: asked.map(({ now }) => now),
      usedAfter: asked.map(({ usedAfter }) => usedAfter),
      madeAfter: asked.map(({ madeAfter }) => madeAfter),
    });
    return rows.map((row) => (row.user_id === null ? undefined : row));
  };
  return batched(find, { size: 64, flights: 2 });
}

/** A use within this time of the last written one is not written. */
export const WRITTEN_AFTER_MS = 60_000;

/** The time and idle limit of a use. */
export interface BrowserUse {
  readonly now: Date;
  /** How long it lasts from then on without another use. */
  readonly idleSeconds: number;
  /** When the login expires without this use. */
  readonly expiresAt: Date;
}

/**
 * Those of one second are one statement, and count from the earliest. Leaves out logins that have expired by now: they may
 * have been refused meanwhile.
 */
export async function writeBrowserUses(
  { gate, clock }: { readonly gate: Gate; readonly clock: Clock },
  uses: readonly Use<SessionId, BrowserUse>[],
): Promise<void> {
  const now = clock.now();
  const alive = uses.filter(({ details }) => details.expiresAt > now);
  const bySecond = Map.groupBy(alive, ({ at }) => at.getTime());
  for (const together of bySecond.values()) {
    const usedAt = Math.min(...together.map(({ details }) => details.now.getTime()));
    await gate.callMany(writeUses, {
      tenants: together.map(({ tenantId }) => tenantId),
      sessions: together.map(({ id }) => id),
      idleSeconds: together.map(({ details }) => details.idleSeconds),
      now: new Date(usedAt),
      writtenBefore: new Date(usedAt - WRITTEN_AFTER_MS),
    });
  }
}

/** Locks two browser sessions of a user. @returns whether both are alive and theirs */
export async function lockBoth(
  tx: TenantTx,
  userId: UserId,
  ids: readonly SessionId[],
): Promise<boolean> {
  const rows = await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .where('kind', '=', 'browser')
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.length === ids.length;
}

/** The living sessions that were opened from one end with another one from now on, or are counted to it. */
export async function adopt(tx: TenantTx, from: SessionId, to: SessionId): Promise<void> {
  const openedIn = sql<boolean>`(parent_id = ${from} OR login_id = ${from})`;
  const children = await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where(openedIn)
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (children.length === 0) return;
  await tx.db
    .updateTable('sessions')
    .set({
      parent_id: sql`CASE WHEN parent_id IS NOT NULL THEN ${to} END`,
      login_id: sql`CASE WHEN login_id IS NOT NULL THEN ${to} END`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .where(openedIn)
    .where('is_active', '=', true)
    .execute();
}
