// The guide to MCP servers, pasted block by block into one shell, then used by an MCP client that knows only the URL.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { connectOne, connectTwo, McpProvider } from '../harness/mcp.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { freePort } from '../harness/program.ts';
import { Visitor } from '../harness/visitor.ts';
import { blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADMIN = { identifier: 'root@example.com', secret: randomBytes(15).toString('base64url') };

const blocks = blocksOf('protect-an-mcp-server.md');

let database: TestDatabase;
let keywright: ServerProcess;
let shell: LongShell;
let issuer: string;
let server: string;

before(async () => {
  database = await createDatabase();
  const port = String(await freePort());
  issuer = `http://localhost:${port}`;
  keywright = await startServerProcess({
    env: {
      KEYWRIGHT_PORT: port,
      KEYWRIGHT_BASE_URL: issuer,
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
      KEYWRIGHT_ADMIN_SECRET: ADMIN.secret,
    },
  });
  server = `http://localhost:${await freePort()}`;
  const { PATH = '', ...inherited } = inheritedEnvironment();
  shell = new LongShell({ ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` }, ROOT);
  const [choices, logIn, serverChoices] = blocks;
  const values = { KEYWRIGHT: issuer, IDENTIFIER: ADMIN.identifier, SECRET: ADMIN.secret };
  await shell.run(choicesIn(choices, values));
  await shell.run(logIn?.text ?? '');
  await shell.run(choicesIn(serverChoices, { SERVER: server }));
});
after(async () => {
  await shell.close();
  await keywright.sigterm();
  await database.drop();
});

/** Pastes the commands of a section. @returns the output of the last one */
async function follow(section: number): Promise<string> {
  let output = '';
  for (const block of blocks.slice(3)) {
    const isCommand = block.section === section && block.language === 'sh';
    if (isCommand) output = await shell.run(block.text);
  }
  return output;
}

/** The only block of the section in this language, with the addresses of this test. */
function shown(section: number, language: string): string {
  const found = blocks.filter((block) => block.section === section && block.language === language);
  assert.equal(found.length, 1);
  return (found[0]?.text ?? '')
    .replaceAll('http://localhost:3000', server)
    .replaceAll('http://localhost:8080', issuer)
    .trim();
}

/** The browser of the administrator, who grants every consent. */
async function authorize(url: URL): Promise<URL> {
  const request = keywright.http.request.bind(keywright.http);
  const browser = new Visitor({ request }, issuer);
  assert.equal(url.origin, issuer);
  await browser.open(url.pathname + url.search);
  await browser.press('login', ADMIN);
  const { redirectsTo, title } = await browser.press('allow');
  return redirectsTo ?? assert.fail(title);
}

test('The commands of the MCP guide protect a server, and show what the guide shows', async () => {
  const created = JSON.parse(await follow(1)) as { uri: string };
  assert.equal(created.uri, `${server}/mcp`);
  await follow(2);
  const sh = blocks.filter((block) => block.section === 3 && block.language === 'sh');
  const [challenge = '', metadata = ''] = sh.map(({ text }) => text);
  assert.equal((await shell.run(challenge)).trim(), shown(3, 'http'));
  assert.deepEqual(JSON.parse(await shell.run(metadata)), JSON.parse(shown(3, 'json')));
});

test('Clients that know nothing but the address log in to the server of the MCP guide, and call tools', async (t) => {
  await follow(4);
  const client = await connectTwo(`${server}/mcp`, new McpProvider({ authorize }));
  t.after(() => client.close());
  assert.match(await client.call('whoami'), /^user:\S+ with client_\S+$/);
});

test('A registered client logs in to the server of the MCP guide, too', async (t) => {
  const clientId = (await shell.run('echo "$CLIENT"')).trim();
  const provider = new McpProvider({ client: { client_id: clientId, issuer }, authorize });
  const client = await connectOne(`${server}/mcp`, provider);
  t.after(() => client.close());
  assert.match(await client.call('whoami'), new RegExp(`^user:\\S+ with ${clientId}$`));
});

test('The code that the MCP guide shows is that of the example', () => {
  const files = ['server.mjs', 'tools.mjs'].map((name) =>
    readFileSync(join(ROOT, 'examples/mcp-server', name), 'utf8'),
  );
  const shownCode = blocks.filter(({ language }) => language === 'js');
  assert.equal(shownCode.length, 5);
  for (const { text } of shownCode) {
    assert.ok(
      files.some((file) => file.includes(text)),
      text,
    );
  }
});

test('The last command of the MCP guide ends the server', async () => {
  const [last] = blocks.slice(-1);
  await shell.run(last?.text ?? '');
  await shell.run('wait $! || true');
  await assert.rejects(fetch(`${server}/mcp`));
});
