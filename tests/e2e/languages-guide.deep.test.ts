// The guide to languages and texts: each command is run, and does what the page says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { newClient, requestOf } from '../harness/code-login.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { Visitor } from '../harness/visitor.ts';
import { type Block, blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

let keywright: Keywright;
let tenant: TestTenant;
before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('worded');
});
after(() => keywright.close());

async function follow({ text }: Block, token: string): Promise<Record<string, unknown>> {
  const command = text
    .replaceAll('localhost:8080', new URL(keywright.nodes[0]?.url ?? '').host)
    .replaceAll('curl -s', `curl -sf -H 'x-tenant-id: ${tenant.id}'`);
  const env = { TOKEN: await tenant.adminToken(), TENANT: tenant.id, USER_TOKEN: token };
  const { code, stdout, stderr } = await paste(`set -e\n${command}`, env);
  assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function titleIn(accepted: string): Promise<string | undefined> {
  const { id } = await newClient(tenant, { name: 'Invoices' });
  const headers = { 'accept-language': accepted };
  const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`, headers);
  const { text } = await browser.authorize(requestOf({ id }));
  return /<h1>(.*)<\/h1>/.exec(text)?.[1];
}

test('the commands of the guide to languages and texts work as they are', async () => {
  const { token } = await tenant.createUser();
  const [languages, own, list, put, count, remove, ...others] = blocksOf('languages-and-texts.md');
  assert.ok(languages && own && list && put && count && remove && others.length === 0);
  await follow(languages, token);
  assert.equal(await titleIn('tlh'), 'Anmelden');
  assert.equal((await follow(own, token))['locale'], 'ar');
  const { texts } = (await follow(list, token)) as { texts: { key: string; text: unknown }[] };
  assert.ok(texts.some(({ key, text }) => key === 'login.title' && text === null));
  assert.equal((await follow(put, token))['text'], 'Sign in');
  assert.equal(await titleIn('en'), 'Sign in');
  assert.equal((await follow(count, token))['is_fixed'], false);
  assert.equal((await follow(remove, token))['deleted'], true);
  assert.equal(await titleIn('en'), 'Log in');
});
