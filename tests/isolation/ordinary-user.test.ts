// Layer 2 as in production: the service connects as a user that is not a superuser and owns its database.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type RunningKeywright, startKeywright } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import pg from 'pg';
import { newPassword } from '../harness/credentials.ts';
import { httpClient } from '../harness/http.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { bitOf, bitsSetIn } from '../harness/status.ts';
import { claimsOf } from '../harness/token.ts';

const ADMIN = { identifier: 'root@example.com', secret: newPassword() };

for (const major of [16, 18] as const) {
  describe(`on PostgreSQL ${major}, as a user with no privilege but CREATEROLE`, () => {
    let server: PostgresServer;
    let keywright: RunningKeywright;
    let user: pg.Client;

    before(async () => {
      server = await startPostgres({ major });
      const superuser = new pg.Client(server.url);
      await superuser.connect();
      await superuser.query(`CREATE ROLE app LOGIN CREATEROLE PASSWORD 'app'`);
      await superuser.query('CREATE DATABASE app OWNER app');
      await superuser.end();
      const url = new URL(server.databaseUrl('app'));
      [url.username, url.password] = ['app', 'app'];
      const config = readConfig({
        KEYWRIGHT_PORT: '0',
        KEYWRIGHT_LOG_LEVEL: 'silent',
        KEYWRIGHT_DATABASE_URL: url.href,
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
        KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
        KEYWRIGHT_ADMIN_SECRET: ADMIN.secret,
      });
      keywright = await startKeywright({ config });
      await keywright.createTenant('tests', { slug: 'north', name: 'North' });
      user = new pg.Client(url.href);
      await user.connect();
    });

    after(async () => {
      await user.end();
      await keywright.close();
      await server.close();
    });

    async function tenantsSeen(table: string): Promise<string[]> {
      const { rows } = await user.query<{ tenant_id: string }>(
        `SELECT DISTINCT tenant_id FROM ${table} ORDER BY 1`,
      );
      return rows.map((row) => row.tenant_id);
    }

    test('The service works as a PostgreSQL user with no privilege but CREATEROLE', async () => {
      const http = httpClient(keywright.url);
      const answer = await http.request('POST', '/auth/login', { host: 'localhost', body: ADMIN });
      http.close();
      assert.equal(answer.status, 200, answer.text);
    });

    test('The dependents of a deleted user or agent are revoked, although a cascade deletes them', async () => {
      const http = httpClient(keywright.url);
      const send = async <Body>(method: string, path: string, body?: object, token?: string) => {
        const options = { host: 'localhost', ...(body && { body }), ...(token && { token }) };
        const answer = await http.request<Body>(method, path, options);
        assert.ok(answer.status < 300, answer.text);
        return answer;
      };
      type Token = { access_token: string };
      const { body: root } = await send<Token>('POST', '/auth/login', ADMIN);
      const person = { identifier: 'gone@example.com', secret: newPassword(), register: true };
      const { body: theirs } = await send<Token>('POST', '/auth/login', person);
      const { body: agent } = await send<{ id: string }>(
        'POST',
        '/agents',
        { name: 'robot' },
        root.access_token,
      );
      const keyBody = { agent_id: agent.id, name: 'k' };
      const { body: key } = await send<{ key: string }>(
        'POST',
        '/apikeys',
        keyBody,
        root.access_token,
      );
      const { body: its } = await send<Token>('POST', '/auth/token', {
        grant_type: 'client_credentials',
        client_id: agent.id,
        client_secret: key.key,
      });
      await send(
        'DELETE',
        `/users/${claimsOf(theirs.access_token).sub}`,
        undefined,
        root.access_token,
      );
      await send('DELETE', `/agents/${agent.id}`, undefined, root.access_token);
      const { text } = await send('GET', '/status/0');
      const bits = [theirs, its].map((token) => bitOf(token.access_token));
      assert.deepEqual(bitsSetIn(text), [0, ...bits]);
      http.close();
    });

    test('A transaction bound to a tenant sees that tenant (SPEC service 6)', async () => {
      await user.query('BEGIN');
      await user.query(`SELECT kw_enter('org_north')`);
      assert.deepEqual(await tenantsSeen('tenants'), ['org_north']);
      assert.deepEqual(await tenantsSeen('signing_keys'), ['org_north']);
      await user.query('ROLLBACK');
    });

    test('A transaction bound to no tenant sees nothing, although its user owns the tables (SPEC service 6)', async () => {
      assert.deepEqual(await tenantsSeen('tenants'), []);
      assert.deepEqual(await tenantsSeen('users'), []);
      await user.query(`SET keywright.tenant_id = 'org_north'`);
      assert.deepEqual(await tenantsSeen('signing_keys'), []);
    });
  });
}
