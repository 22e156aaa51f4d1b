// The guides to branding and to the account page: each command is run, and each setting and part is there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { ClientBranding } from '@keywright/contract/records/branding';
import { TenantBranding } from '@keywright/contract/records/tenant';
import { registerClient } from '../harness/application.ts';
import { ACCOUNT_SECTIONS } from '@keywright/contract/routes/account';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { GuideShell } from './guide-shell.ts';

let keywright: Keywright;
before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

const textOf = (page: string) =>
  readFileSync(new URL(`../../docs/guide/${page}`, import.meta.url), 'utf8');

test('The commands of the guide to branding work as they are', async (t) => {
  const tenant = await keywright.tenant('branded');
  const guide = await GuideShell.open('branding.md');
  t.after(() => guide.close());
  const TOKEN = await tenant.adminToken();
  await registerClient(tenant);
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
  const { branding } = await guide.pasteForJson('"company_name"');
  assert.equal((branding as TenantBranding).corner, 10);
  await guide.paste('CLIENT=');
  const { settings } = await guide.pasteForJson('"headline"');
  assert.equal((settings as ClientBranding['settings']).layout, 'split-start');
  const { url } = await guide.pasteForJson('/branding/preview');
  assert.match(String(url), /\/t\/org_branded\/preview\?of=/);
  const { items } = await guide.pasteForJson('/logos -H');
  assert.equal((items as unknown[]).length, 1);
  const { logos } = await guide.pasteForJson('/logos/fetch');
  assert.equal((logos as unknown[]).length, 1);
  await guide.paste('> logo.svg');
  const uploaded = await guide.pasteForJson('/logos/logo');
  assert.equal(uploaded['content_type'], 'image/svg+xml');
  assert.deepEqual(guide.left, []);
});

test('The guide to branding names every setting', () => {
  const text = textOf('branding.md');
  for (const name of Object.keys(TenantBranding.properties)) {
    assert.ok(text.includes(`\`${name}\``), name);
  }
});

test('The guide to the account page names every part of it', () => {
  const named = [...textOf('account-page.md').matchAll(/^\| `(\w+)` *\|/gm)].map(
    ([, section]) => section,
  );
  assert.deepEqual(named, [...ACCOUNT_SECTIONS]);
});
