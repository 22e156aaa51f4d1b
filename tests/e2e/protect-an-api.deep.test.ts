// The tutorial about an API and an MCP server, pasted block by block into one shell. Its user approves requests in
// browsers without scripts, and uses an MCP client that knows only the URL.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connectTwo, McpProvider } from '../harness/mcp.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { freePort } from '../harness/program.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { type Seen, Visitor } from '../harness/visitor.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TUTORIAL = '../tutorials/protect-an-api.md';
const ADA = { identifier: 'ada@example.com', secret: 'engines of analysis' };

describe('the tutorial about an API and an MCP server, followed from start to end', () => {
  let keywright: ServerProcess;
  let tutorial: GuideShell;
  let issuer: string;
  let api: string;
  let server: string;

  before(async () => {
    const dataDir = join(await temporaryDirectory('protect-an-api'), 'data');
    keywright = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
    issuer = `http://localhost:${new URL(keywright.url).port}`;
    api = `http://localhost:${await freePort()}`;
    server = `http://localhost:${await freePort()}`;
    tutorial = await GuideShell.open(TUTORIAL, ROOT);
    const SECRET = /^ {2}Password +(\S+)/m.exec(keywright.stdout)?.[1] ?? '';
    const IDENTIFIER = 'admin@keywright.localhost';
    await tutorial.logIn({ KEYWRIGHT: issuer, IDENTIFIER, SECRET });
    await tutorial.choose('SERVER=http', { API: api, SERVER: server });
    await tutorial.paste('admin() {');
  });
  after(async () => {
    await tutorial.close();
    await keywright.kill9();
  });

  /** Opens a URL of the service in a new browser, and signs Ada in. */
  async function signIn(url: URL, firstAction?: string): Promise<Visitor> {
    const request = keywright.http.request.bind(keywright.http);
    const browser = new Visitor({ request }, issuer);
    assert.equal(url.origin, issuer);
    await browser.open(url.pathname + url.search);
    if (firstAction !== undefined) {
      await browser.press(firstAction, { user_code: url.searchParams.get('user_code') ?? '' });
    }
    await browser.press('login', ADA);
    return browser;
  }

  /** The only block with this text that is not a command, with the URLs of this test. */
  function shown(mark: string): string {
    const found = blocksOf(TUTORIAL).filter(
      ({ language, text }) => language !== 'sh' && text.includes(mark),
    );
    assert.equal(found.length, 1, mark);
    return (found[0]?.text ?? '')
      .replaceAll('http://localhost:3000', api)
      .replaceAll('http://localhost:3001', server);
  }

  test('The code that the tutorial shows is that of the example', () => {
    const example = readFileSync(join(ROOT, 'examples/express-api/server.mjs'), 'utf8');
    const code = blocksOf(TUTORIAL).filter(({ language }) => language === 'js');
    assert.deepEqual(
      code.map(({ text }) => example.includes(text)),
      [true],
    );
  });

  test('The API of the tutorial rejects requests without a token for it', async () => {
    const resource = await tutorial.pasteForJson('"Reports\\",\n');
    assert.deepEqual(resource, JSON.parse(shown('"write:reports"]')));
    const output = await tutorial.paste('express-api/server.mjs');
    assert.ok(output.includes(JSON.stringify(JSON.parse(shown('TOKEN_INVALID')))), output);
    assert.equal(await tutorial.paste('Bearer $TOKEN"\n'), '401\n');
  });

  test('The API of the tutorial admits a user and an agent by their scopes', async () => {
    await tutorial.paste('/roles');
    const started = await tutorial.paste('device_authorization');
    const browser = await signIn(new URL(started.trim()), 'device');
    const consent: Seen = browser.seen;
    assert.ok(consent.text.includes('Read reports') && !consent.text.includes('Add reports'));
    await browser.press('allow');
    assert.equal(await tutorial.paste('ADA_TOKEN=$('), '200\n403\n');
    const report = await tutorial.pasteForJson('AGENT_TOKEN=$(');
    assert.deepEqual(report, { title: 'November', author: await tutorial.valueOf('AGENT') });
    const challenge = await tutorial.paste('-D - -o /dev/null $API');
    assert.equal(challenge.trim(), shown('scope="read:reports"').trim());
  });

  test('The API of the tutorial rejects the token of a session that was ended', async () => {
    await tutorial.paste('time until');
    assert.equal(
      await tutorial.run('status $API/reports -H "authorization: Bearer $ADA_TOKEN"'),
      '401\n',
    );
  });

  test('The MCP server of the tutorial checks a scope for each tool', async () => {
    const started = await tutorial.paste('mcp-server/server.mjs');
    assert.ok(started.includes(shown('resource_metadata=').trim()), started);
    const agent = await tutorial.valueOf('AGENT');
    const [, identity, refused] = (await tutorial.paste('MCP_TOKEN=$(')).split('\n');
    assert.equal(identity, `${agent} with ${agent}`);
    assert.equal(refused, 'The token lacks mcp:write.');
  });

  test('A client joins the MCP server of the tutorial by its URL, and asks its user for the scope of a tool', async (t) => {
    const settings = await tutorial.paste('oauth_registration');
    assert.equal(settings, `["any","open"]\nThe URL for MCP clients: ${server}/mcp\n`);
    const consents: string[] = [];
    const authorize = async (url: URL): Promise<URL> => {
      const browser = await signIn(url);
      consents.push(browser.seen.text);
      const { redirectsTo, title } = await browser.press('allow');
      return redirectsTo ?? assert.fail(title);
    };
    const client = await connectTwo(`${server}/mcp`, new McpProvider({ authorize }));
    t.after(() => client.close());
    assert.deepEqual(client.tools, ['whoami', 'list_notes', 'add_note', 'delete_notes']);
    assert.equal(await client.call('add_note', { text: 'Publish the report' }), 'Noted.');
    const [first = '', second = ''] = consents;
    assert.ok(first.includes('Read your notes') && !first.includes('Write and delete'));
    assert.ok(second.includes('Write and delete your notes'));
    assert.equal(await client.call('list_notes'), 'Publish the report');
    await tutorial.paste('kill $API_PID');
    await tutorial.run('wait || true');
    await assert.rejects(fetch(api));
    assert.deepEqual(tutorial.left, []);
  });
});
