// The guides to branding and to the account page: each command is run, and each setting and part is there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { TenantBranding } from '@keywright/contract/records/tenant';
import { ACCOUNT_SECTIONS } from '@keywright/contract/routes/account';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Block, blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

let keywright: Keywright;
before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

const textOf = (page: string) =>
  readFileSync(new URL(`../../docs/guide/${page}`, import.meta.url), 'utf8');

test('the commands of the guide to branding work as they are', async () => {
  const tenant = await keywright.tenant('branded');
  const follow = async ({ text }: Block): Promise<Record<string, unknown>> => {
    const command = text
      .replaceAll('localhost:8080', new URL(keywright.nodes[0]?.url ?? '').host)
      .replaceAll('curl -s', `curl -sf -H 'x-tenant-id: ${tenant.id}'`);
    const env = { TOKEN: await tenant.adminToken(), TENANT: tenant.id };
    const { code, stdout, stderr } = await paste(
      `set -e\ncd "$(mktemp -d)"\necho '<svg/>' > logo.svg\n${command}`,
      env,
    );
    assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const [set, previewed, list, fetched, uploaded, ...others] = blocksOf('branding.md');
  assert.ok(set && previewed && list && fetched && uploaded && others.length === 0);
  const { branding } = await follow(set);
  assert.equal((branding as TenantBranding).corner, 10);
  assert.match(String((await follow(previewed))['url']), /\/t\/org_branded\/preview\?of=/);
  const { items } = await follow(list);
  assert.equal((items as unknown[]).length, 1);
  assert.equal(((await follow(fetched))['logos'] as unknown[]).length, 1);
  assert.equal((await follow(uploaded))['content_type'], 'image/svg+xml');
});

test('the guide to branding names every setting', () => {
  const text = textOf('branding.md');
  for (const name of Object.keys(TenantBranding.properties)) {
    assert.ok(text.includes(`\`${name}\``), name);
  }
});

test('the guide to the account page names every part of it', () => {
  const named = [...textOf('account-page.md').matchAll(/^\| `(\w+)` *\|/gm)].map(([, one]) => one);
  assert.deepEqual(named, [...ACCOUNT_SECTIONS]);
});
