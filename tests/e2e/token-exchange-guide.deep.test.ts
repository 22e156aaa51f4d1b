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
import { paste } from './shell.ts';

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

function textsOf(section: number, language: string): string[] {
  return blocks
    .filter((block) => block.section === section && block.language === language)
    .map(({ text }) => text);
}

async function run(text: string, env: Readonly<Record<string, string>>): Promise<string> {
  const commands = text
    .replaceAll('localhost:8080', new URL(keywright.url).host)
    .replaceAll('curl -s', `curl -s -H 'x-tenant-id: ${tenant.id}'`);
  const { code, stdout, stderr } = await paste(`set -e\n${commands}`, env);
  assert.equal(code, 0, `${commands}\n${stdout}${stderr}`);
  return stdout;
}

test('the commands of the page register two services and exchange a token, with the claims that it shows', async () => {
  const registered = await run(
    `${textsOf(1, 'sh').join('\n')}\necho\necho "$CLIENT $CLIENT_SECRET"`,
    { TOKEN: await tenant.adminToken() },
  );
  const [CLIENT = '', CLIENT_SECRET = ''] = registered.trim().split('\n').at(-1)?.split(' ') ?? [];
  const shop = await newClient(tenant, { scopes: ['openid', 'read:orders'] });
  const user = await createUserWith(tenant, ['read:orders']);
  const browser = new UserBrowser(tenant, `${keywright.url}/t/${tenant.id}`, user);
  const asked = { scope: 'openid read:orders', resource: ORDERS };
  const { access_token: ACCESS_TOKEN } = await browser.tokensFor(shop, asked);
  const env = { TENANT: tenant.id, CLIENT, CLIENT_SECRET, ACCESS_TOKEN };
  const answer = JSON.parse(await run(textsOf(2, 'sh').join(), env)) as Record<string, string>;
  const shown = JSON.parse(textsOf(2, 'json').join()) as Record<string, string>;
  const { access_token: token = '' } = answer;
  assert.deepEqual(answer, { ...shown, access_token: token });
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
  assert.deepEqual(
    Object.keys(JSON.parse(textsOf(3, 'json').join()) as object),
    Object.keys({ aud, sub, client_id, act }),
  );
});
