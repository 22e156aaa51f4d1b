import { newSessionId } from '@keywright/server/platform/crypto/ids';
import { cookieName } from '@keywright/server/platform/http/pages/cookies';
import { SessionCookie } from '@keywright/server/tenancy/caller';
import type { Scene } from '../rows/row.ts';
import type { Person } from './seed.ts';

const HOUR_MS = 3_600_000;

/** The lifetime of a browser's login, idle and absolute, and the time since its last use. */
export interface BrowserLogin {
  readonly usedAgoMs: number;
  readonly expiresInMs: number;
  readonly endsInMs: number;
}

/** As the service opens it under the default settings. */
export const NEW_LOGIN: BrowserLogin = {
  usedAgoMs: 0,
  expiresInMs: 12 * HOUR_MS,
  endsInMs: 7 * 24 * HOUR_MS,
};
/** Not used within the last minute, so its next use is written. */
export const UNUSED_LOGIN: BrowserLogin = { ...NEW_LOGIN, usedAgoMs: HOUR_MS };
/** In its last hours, when use no longer extends it. */
export const ENDING_LOGIN: BrowserLogin = {
  usedAgoMs: 0,
  expiresInMs: 6 * HOUR_MS,
  endsInMs: 6 * HOUR_MS,
};

/** Logs these users in, each in a separate browser. @returns the Cookie header of each browser */
export async function insertBrowsers(
  query: Scene['query'],
  people: readonly Person[],
  { usedAgoMs, expiresInMs, endsInMs, issuer }: BrowserLogin & { readonly issuer: string },
): Promise<string[]> {
  const now = new Date();
  const browsers = people.map(() => {
    const cookie = new SessionCookie();
    const id = newSessionId(now);
    cookie.opened(id);
    return { id, cookie };
  });
  await query(
    `INSERT INTO sessions (
       tenant_id, id, user_id, workspace_id, kind, auth_time, acr, amr, ip_address, created_at, expires_at,
       absolute_expires_at, refresh_hash, refresh_issued_at)
     SELECT b.tenant, b.id, b.owner, 'ws_default', 'browser', $1, 'aal1', '{pwd}', '127.0.0.1', $1, $2, $3, b.hash, $1
       FROM unnest($4::text[], $5::text[], $6::text[], $7::bytea[]) AS b (tenant, id, owner, hash)`,
    [
      new Date(now.getTime() - usedAgoMs),
      new Date(now.getTime() + expiresInMs),
      new Date(now.getTime() + endsInMs),
      people.map(({ tenantId }) => tenantId),
      browsers.map(({ id }) => id),
      people.map(({ userId }) => userId),
      browsers.map(({ cookie }) => cookie.secretHash),
    ],
  );
  return people.map(({ tenantId }, index) => {
    const name = cookieName('session', { id: tenantId, issuer });
    return `${name}=${browsers[index]?.cookie.value ?? ''}`;
  });
}
