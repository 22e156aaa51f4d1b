// Users download a copy of their data from the account page.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AccountExport } from '@keywright/contract/records/account-export';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { type Seen, unescape, Visitor } from '../harness/visitor.ts';

const STEP_UP_SECONDS = 300;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let visitor: Visitor;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('copies');
});
after(() => keywright.close());
beforeEach(async () => {
  user = await tenant.createUser();
  visitor = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
});

const open = () => visitor.open(`/t/${tenant.id}/account?section=data`);
const press = (action: string) => visitor.press(action, { section: 'data' });

async function enter(): Promise<Seen> {
  await open();
  await visitor.press('login', { identifier: user.identifier, secret: user.password });
  return open();
}

describe('the copy of one’s data', () => {
  const copyIn = (text: string): AccountExport => {
    const [, packed = ''] =
      /id="copy" href="data:application\/json;base64,([^"]+)"/.exec(text) ?? [];
    return JSON.parse(Buffer.from(unescape(packed), 'base64').toString()) as AccountExport;
  };

  test('A copy of the account data is made on request and shown in the requesting page, after a recent login only', async () => {
    const { actions } = await enter();
    assert.ok(actions.includes('request_copy') && !actions.includes('show_copy'));
    const early = await press('show_copy');
    assert.equal(early.status, 404);
    const requested = await press('request_copy');
    assert.match(requested.text, /role="status"[^>]*>We’re preparing your data/);
    const ready = await until('the copy', async () => {
      const seen = await open();
      return seen.actions.includes('show_copy') ? seen : undefined;
    });
    assert.match(ready.text, /Your data is ready to download until/);
    const { user: exported, sessions } = copyIn((await press('show_copy')).text);
    assert.deepEqual([exported.id, sessions.length], [user.user.id, 2]);
    assert.doesNotMatch((await open()).text, /id="copy"/);
    keywright.clock.advance(STEP_UP_SECONDS + 1);
    await open();
    assert.equal((await press('show_copy')).title, 'Confirm it’s you');
    assert.ok(!(await open()).actions.includes('show_copy'));
  });

  test('A copy of the account data that could not be made can be requested again', async () => {
    await enter();
    await press('request_copy');
    await keywright.database.query(
      `UPDATE account_exports SET status = 'failed', takes = takes + 1 WHERE id = $1`,
      [user.user.id],
    );
    const { text, actions } = await open();
    assert.match(text, /We couldn’t prepare your data/);
    assert.ok(actions.includes('request_copy'));
  });
});
