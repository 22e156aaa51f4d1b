// The guide to languages and texts: the test runs each command and checks the effects that the page describes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { newClient, requestOf } from '../harness/code-login.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { Visitor } from '../harness/visitor.ts';
import { GuideShell } from './guide-shell.ts';

let keywright: Keywright;
let tenant: TestTenant;
before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('worded');
});
after(() => keywright.close());

async function titleIn(accepted: string): Promise<string | undefined> {
  const { id } = await newClient(tenant, { name: 'Invoices' });
  const headers = { 'accept-language': accepted };
  const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`, headers);
  const { text } = await browser.authorize(requestOf({ id }));
  return /<h1>(.*)<\/h1>/.exec(text)?.[1];
}

test('The commands of the guide to languages and texts work as they are', async (t) => {
  const guide = await GuideShell.open('languages-and-texts.md');
  t.after(() => guide.close());
  const TOKEN = await tenant.adminToken();
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  await guide.paste('USER_TOKEN=$(');
  await guide.paste('"locales"');
  assert.equal(await titleIn('tlh'), 'Anmelden');
  assert.equal((await guide.pasteForJson('/me/profile'))['locale'], 'ar');
  const { texts } = await guide.pasteForJson<{ texts: { key: string; text: unknown }[] }>(
    '/texts/en -H',
  );
  assert.ok(texts.some(({ key, text }) => key === 'login.title' && text === null));
  assert.equal((await guide.pasteForJson('"text": "Welcome back"'))['text'], 'Welcome back');
  assert.equal(await titleIn('en'), 'Welcome back');
  assert.equal((await guide.pasteForJson('mail.duration'))['is_fixed'], false);
  assert.equal((await guide.pasteForJson('-X DELETE'))['deleted'], true);
  assert.equal(await titleIn('en'), 'Sign in');
  assert.deepEqual(guide.left, []);
});
