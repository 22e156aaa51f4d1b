// The guide to registration: its commands are run in their order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { judgeDocument } from '@keywright/server/modules/oauth/clients/client-documents';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const blocks = blocksOf('let-others-register.md');

let keywright: Keywright;
let tenant: TestTenant;
let guide: GuideShell;

before(async () => {
  const port = await freePort();
  keywright = await startKeywright({
    env: { KEYWRIGHT_PORT: String(port), KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}` },
  });
  tenant = await keywright.tenant('acme');
  guide = await GuideShell.open('let-others-register.md');
  const TOKEN = await tenant.adminToken();
  await guide.start({ KEYWRIGHT: keywright.url, TENANT: tenant.id, TOKEN });
});
after(async () => {
  await guide.close();
  await keywright.close();
});

function textOf(language: string, mark: string): string {
  const found = blocks.filter((block) => block.language === language && block.text.includes(mark));
  assert.equal(found.length, 1, `one block of the guide has ${mark}`);
  return found[0]?.text ?? '';
}

test('The commands of the guide register an application, which then changes its registration', async () => {
  await guide.paste('"name":"Partners, spring"');
  const client = await guide.pasteForJson('"client_name":"Acme Reports"');
  assert.equal(client['scope'], 'openid email');
  const changed = await guide.pasteForJson('"client_name":"Acme Reports 2"');
  assert.equal(changed['client_name'], 'Acme Reports 2');
});

test('The settings in the commands of the registration guide are settings of a tenant', async () => {
  for (const mark of ['"oauth_registration":"open"', '"oauth_client_domains"']) {
    const { config } = await guide.pasteForJson(mark);
    const { text } = { text: textOf('sh', mark) };
    const [, json = '{}'] = /-d '(.*)'/s.exec(text) ?? [];
    const settings = (JSON.parse(json) as { config: object }).config;
    for (const [name, value] of Object.entries(settings)) {
      assert.deepEqual((config as Record<string, unknown>)[name], value);
    }
  }
});

test('The service accepts the client ID document of the guide', () => {
  const document = JSON.parse(textOf('json', '"client_id"')) as { client_id: string };
  assert.ok(!('flaws' in judgeDocument(document.client_id, document)));
});
