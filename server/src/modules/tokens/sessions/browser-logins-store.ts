import type { SessionId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import {
  findConsoleUsers as findUsers,
  type FindConsoleUsersRow,
} from '../../../../sql/tokens/kw_find_console_users.ts';
import { writeBrowserUses as writeUses } from '../../../../sql/tokens/kw_write_browser_uses.ts';
import type { Use } from '../../../tenancy/activity.ts';
import { from, type Gate, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { BrowserSecret } from './session-store.ts';

export type ConsoleUserRow = Exclude<FindConsoleUsersRow, { readonly user_id: null }>;

/** The secret in a session cookie, and the earliest accepted times of the session's last use and login. */
export interface ConsoleSecret extends Omit<BrowserSecret, 'client'> {
  readonly usedAfter: Date;
  readonly madeAfter: Date;
}

/** Returns, in order, the users of sessions that the console accepts. */
export async function findConsoleUsers(
  gate: Gate,
  secrets: readonly ConsoleSecret[],
): Promise<(ConsoleUserRow | undefined)[]> {
  const rows = await gate.callMany(findUsers, {
    tenants: secrets.map(({ tenantId }) => tenantId),
    sessions: secrets.map(({ session }) => session),
    secretHashes: secrets.map(({ secretHash }) => secretHash),
    now: secrets.map(({ now }) => now),
    usedAfter: secrets.map(({ usedAfter }) => usedAfter),
    madeAfter: secrets.map(({ madeAfter }) => madeAfter),
  });
  return rows.map((row) => (row.user_id === null ? undefined : row));
}

/** A use within this time of the last recorded one is not recorded. */
export const WRITTEN_AFTER_MS = 60_000;

/** A use of a browser login. */
export interface BrowserUse {
  readonly now: Date;
  /** How long the login lasts without another use. */
  readonly idleSeconds: number;
  /** When the login expires without this use. */
  readonly expiresAt: Date;
}

/**
 * Records uses, in one statement per second, at the time of the earliest use. Logins that have expired by now are
 * left out, since they may have been rejected meanwhile.
 */
export async function writeBrowserUses(
  gate: Gate,
  uses: readonly Use<SessionId, BrowserUse>[],
  now: Date,
): Promise<void> {
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

/** Locks two browser sessions of a user. @returns whether both are alive and belong to the user */
export async function lockBoth(
  tx: TenantTx,
  userId: UserId,
  ids: readonly SessionId[],
): Promise<boolean> {
  const rows = await from(tx, 'sessions')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .where('kind', '=', 'browser')
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.length === ids.length;
}

/** Moves the live sessions opened from one login to another login: they end with it, or are counted to it. */
export async function adopt(tx: TenantTx, oldLogin: SessionId, newLogin: SessionId): Promise<void> {
  const children = await from(tx, 'sessions')
    .select('id')
    .where('login_id', '=', oldLogin)
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (children.length === 0) return;
  await update(tx, 'sessions')
    .set({
      parent_id: sql`CASE WHEN parent_id IS NOT NULL THEN ${newLogin} END`,
      login_id: newLogin,
    })
    .where('login_id', '=', oldLogin)
    .where('is_active', '=', true)
    .execute();
}
