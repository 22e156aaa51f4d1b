// The guide to token exchange: its commands are run in their order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newClient, UserBrowser } from '../harness/code-login.ts';
import { createUserWith } from '../harness/delegation.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const ORDERS = 'https://orders.example.com/';
const STOCK = 'https://stock.example.com/';
const blocks = blocksOf('token-exchange.md');

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  const port = await freePort();
  keywright = await startKeywright({
    env: { KEYWRIGHT_PORT: String(port), KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}` },
  });
  tenant = await keywright.tenant('acme');
});
after(() => keywright.close());

/** The only JSON that the section shows. */
function shown(section: number): Record<string, string> {
  const found = blocks.filter((block) => block.section === section && block.language === 'json');
  assert.equal(found.length, 1);
  return JSON.parse(found[0]?.text ?? '') as Record<string, string>;
}

test('The commands of the token exchange guide register two services and exchange a token, with the claims that it shows', async (t) => {
  const guide = await GuideShell.open('token-exchange.md');
  t.after(() => guide.close());
  const TOKEN = await tenant.adminToken();
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  await guide.paste('CLIENT_SECRET=');
  await guide.paste('served_by');
  const CLIENT = await guide.valueOf('CLIENT');
  const shop = await newClient(tenant, { scopes: ['openid', 'read:orders'] });
  const user = await createUserWith(tenant, ['read:orders']);
  const browser = new UserBrowser(tenant, `${keywright.url}/t/${tenant.id}`, user);
  const request = { scope: 'openid read:orders', resource: ORDERS };
  const { access_token: ACCESS_TOKEN } = await browser.tokensFor(shop, request);
  await guide.choose('ACCESS_TOKEN=', { ACCESS_TOKEN });
  const answer = await guide.pasteForJson<Record<string, string>>('subject_token=');
  assert.deepEqual(guide.left, []);
  const { access_token: token = '' } = answer;
  assert.deepEqual(answer, { ...shown(2), access_token: token });
  const { aud, sub, client_id, act } = claimsOf(token);
  assert.deepEqual(
    { aud, sub, client_id, act },
    {
      aud: STOCK,
      sub: user.user.id,
      client_id: CLIENT,
      act: { sub: CLIENT, act: { sub: shop.id } },
    },
  );
  assert.deepEqual(Object.keys(shown(3)), Object.keys({ aud, sub, client_id, act }));
});
