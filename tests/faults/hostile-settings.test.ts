// An administrator has set PostgreSQL defaults for the service's role that would make every login fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import pg from 'pg';
import { HOSTILE_SETTINGS, makeHostile } from '../harness/hostile-settings.ts';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';

test('A service whose role has hostile PostgreSQL defaults starts, and serves logins, refreshes, searches and logouts', async () => {
  const keywright = await startKeywright({
    connectThrough: async (url) => {
      const service = new pg.Client(url);
      await service.connect();
      const query = async <Row extends pg.QueryResultRow>(sql: string) =>
        (await service.query<Row>(sql)).rows;
      // Excluded, since a start on a busy machine can take longer between connecting and the first statement.
      const names = Object.keys(HOSTILE_SETTINGS).filter((name) => name !== 'idle_session_timeout');
      // For the role only: the test itself also uses the database.
      await makeHostile({ url, query }, { names, isForRole: true });
      await service.end();
      return url;
    },
  });
  const tenant = await keywright.tenant('hostile');
  const { user, token, refreshToken } = await tenant.createUser();
  const me = expectStatus(200, await tenant.request<UserRecord>('GET', '/me', { token }));
  assert.equal(me.id, user.id);
  assert.equal(me.created_at, user.created_at);
  const body = { refresh_token: refreshToken };
  const refreshed = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
  const { access_token: next } = expectStatus(200, refreshed);
  const found = await tenant.request<{ items: UserRecord[] }>('GET', '/users?limit=10', {
    token: await tenant.adminToken(),
  });
  assert.ok(expectStatus(200, found).items.some(({ id }) => id === user.id));
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: next }));
  expectStatus(401, await tenant.request('GET', '/me', { token: next }));
  await keywright.close();
});
