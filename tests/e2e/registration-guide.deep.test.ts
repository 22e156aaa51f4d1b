// The guide to registration: its commands are run in their order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { judgeDocument } from '@keywright/server/modules/oauth/clients/document';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

const blocks = blocksOf('let-others-register.md');

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

function textOf(language: string, mark: string): string {
  const found = blocks.filter((block) => block.language === language && block.text.includes(mark));
  assert.equal(found.length, 1, `one block of the guide has ${mark}`);
  return found[0]?.text ?? '';
}

/** Pastes the only block with this text. */
async function follow(mark: string, values: Readonly<Record<string, string>> = {}) {
  const command = textOf('sh', mark)
    .replaceAll('localhost:8080', new URL(keywright.url).host)
    .replaceAll('curl -s', `curl -s -H 'x-tenant-id: ${tenant.id}'`);
  const env = { TOKEN: await tenant.adminToken(), TENANT: tenant.id, ...values };
  const { code, stdout, stderr } = await paste(`set -e\n${command}`, env);
  assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('the commands of the page let somebody register, and the application change its registration', async () => {
  const made = await follow('"name":"Partners, spring"');
  const REGISTRATION_TOKEN = String(made['registration_token']);
  const client = await follow('"client_name":"Acme Reports"', { REGISTRATION_TOKEN });
  assert.equal(client['scope'], 'openid email');
  const changed = await follow('"client_name":"Acme Reports 2"', {
    CLIENT: String(client['client_id']),
    REGISTRATION_ACCESS_TOKEN: String(client['registration_access_token']),
    REGISTRATION_CLIENT_URI: String(client['registration_client_uri']),
  });
  assert.equal(changed['client_name'], 'Acme Reports 2');
});

test('the settings of the page are settings', async () => {
  for (const mark of ['"oauth_registration":"open"', '"oauth_client_domains"']) {
    const { config } = await follow(mark);
    const { text } = { text: textOf('sh', mark) };
    const [, given = '{}'] = /-d '(.*)'/s.exec(text) ?? [];
    const asked = (JSON.parse(given) as { config: object }).config;
    for (const [name, value] of Object.entries(asked)) {
      assert.deepEqual((config as Record<string, unknown>)[name], value);
    }
  }
});

test('the document of the page is one that is used', () => {
  const document = JSON.parse(textOf('json', '"client_id"')) as { client_id: string };
  assert.ok('said' in judgeDocument(document.client_id, document));
});
