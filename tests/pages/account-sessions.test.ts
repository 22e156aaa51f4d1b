// The sessions that the account page shows if a user has many.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { SessionRecord } from '@keywright/contract/records/session';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { unescape, Visitor } from '../harness/visitor.ts';

/** The maximum size of a page; with its headers, 14 KB. */
const PAGE_BYTES = 13 * 1024;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let visitor: Visitor;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('sessions');
});
after(() => keywright.close());
beforeEach(async () => {
  user = await tenant.createUser();
  visitor = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
  await open('sessions');
  await visitor.press('login', { identifier: user.identifier, secret: user.password });
});

const open = (section: string) => visitor.open(`/t/${tenant.id}/account?section=${section}`);

/** Returns the id of the session of the user's own token. */
async function sessionId(): Promise<string> {
  const answer = await tenant.request('GET', '/sessions', { token: user.token });
  const items = expectStatus(200, answer)['items'] as SessionRecord[];
  return items.find(({ kind }) => kind === 'api')?.id ?? '';
}

test('The account page shows and counts no session that has ended, even where the newest hundred have', async () => {
  await keywright.database.query(
    `INSERT INTO sessions SELECT (jsonb_populate_record(s, jsonb_build_object(
        'id', s.id || n, 'is_active', false, 'status_idx', NULL, 'created_at', s.created_at + interval '1 second',
        'refresh_hash', '\\x' || encode(sha256((s.id || n)::bytea), 'hex')))).*
       FROM sessions s, generate_series(1, 101) AS n WHERE s.id = $1`,
    [await sessionId()],
  );
  const { text } = await open('sessions');
  assert.equal(text.match(/<b>/g)?.length, 2);
  assert.match((await open('overview')).text, /sessions<\/a>: 2\./);
});

test('The sessions page leads to the older ones of many sessions, and ends all others together', async () => {
  await keywright.database.query(
    `INSERT INTO sessions SELECT (jsonb_populate_record(s, jsonb_build_object(
        'id', left(s.id, -3) || lpad(n::text, 3, '0'), 'status_idx', NULL,
        'created_at', s.created_at - n * interval '1 second',
        'refresh_hash', '\\x' || encode(sha256((s.id || n)::bytea), 'hex')))).*
       FROM sessions s, generate_series(1, 103) AS n WHERE s.id = $1`,
    [await sessionId()],
  );
  const shown: number[] = [];
  let seen = await open('sessions');
  for (;;) {
    assert.ok(seen.actions.includes('end_others'));
    assert.ok(Buffer.byteLength(seen.text) <= PAGE_BYTES);
    shown.push(seen.actions.filter((action) => action === 'end_session').length);
    const [, older] = /href="([^"]+)" id="older"/.exec(seen.text) ?? [];
    if (older === undefined) break;
    seen = await visitor.open(`/t/${tenant.id}/${unescape(older)}`);
  }
  assert.deepEqual(shown, [9, ...Array<number>(9).fill(10), 5]);
  assert.match((await open('overview')).text, /sessions<\/a>: 105\./);
  await open('sessions');
  await visitor.press('end_others', { section: 'sessions' });
  const left = await open('sessions');
  assert.deepEqual([left.text.match(/<b>/g)?.length, left.text.includes('id="older"')], [1, false]);
  assert.ok(!left.actions.includes('end_others'));
});
