// The README from its first command to its last, with the ports of this test. Each of its blocks is run here, or compared
// with what another test runs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../conformance/browser.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { fillInLogin, newVisitor } from '../harness/login-pages.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { freePort, startProgram } from '../harness/program.ts';
import { databaseDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { LongShell } from './long-shell.ts';
import { commandsIn } from './shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const MOST_WORDS = 1000;
/** The user that the printed commands create. */
const ADA = { identifier: 'ada@example.com', password: 'engines of analysis' };

const blocks = blocksOf('../../README.md');
const [start, register, tests] = blocks.filter(({ language }) => language === 'sh');
const api = blocks.find(({ language }) => language === 'ts');

let server: ServerProcess;
let shell: LongShell;
let issuer: string;

before(async () => {
  const dataDir = join(await databaseDirectory('readme'), 'data');
  server = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
  issuer = `http://localhost:${new URL(server.url).port}`;
  const { PATH = '', ...inherited } = inheritedEnvironment();
  shell = new LongShell({ ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` }, ROOT);
  for (const command of commandsIn(server.stdout)) await shell.run(command);
});
after(async () => {
  await shell.close();
  await server.kill9();
});

/** The rows of a welcome: the labels, and the remarks after the values. */
function rowsOf(text: string): unknown[] {
  const [, rest = ''] = text.split(/^Keywright is ready at .*$/m);
  const [block = ''] = rest.split('```', 1);
  return [...block.matchAll(/^ {2}(\S.*?) {2,}\S+(.*)$/gm)].map(([, ...row]) => row);
}

test('The README clones the repository, starts the service and runs the tests with the scripts of the package', () => {
  const lines =
    start?.text
      .replace(/ +#.*$/gm, '')
      .trim()
      .split('\n') ?? [];
  const [clone = '', ...others] = lines;
  assert.equal(clone, 'git clone <repository-url> keywright');
  assert.deepEqual(others, ['cd keywright', 'npm start']);
  assert.equal(tests?.text, 'npm test\n');
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  assert.equal(scripts['prestart'], 'node tools/setup.mjs --build', 'which build.test.ts runs');
  assert.equal(scripts['test'], 'node tools/test.ts');
  assert.equal(blocks.length, 4, 'every block is run or compared here');
});

test('The README shows the rows that the first start prints, in their order', () => {
  assert.notDeepEqual(rowsOf(README), []);
  assert.deepEqual(rowsOf(README), rowsOf(server.stdout));
});

test('The quickstart has the commands and the first start of the README', () => {
  const page = '../start/quickstart.md';
  const commands = blocksOf(page).filter(({ language }) => language === 'sh');
  const named = 'KEYWRIGHT=http://localhost:8080\nexport ISSUER=$KEYWRIGHT';
  assert.deepEqual(
    commands.map(({ text }) => text.replace(named, 'export ISSUER=http://localhost:8080')),
    [start?.text, register?.text],
  );
  const quickstart = readFileSync(join(ROOT, 'docs/guide', page), 'utf8');
  assert.deepEqual(rowsOf(quickstart), rowsOf(README));
});

test('The README has at most 1,000 words outside code and tables', () => {
  const prose = README.replace(/^```[^]*?^```/gm, '').replace(/^\|.*$/gm, '');
  const words = prose.split(/\s+/).filter((word) => word !== '').length;
  assert.ok(words <= MOST_WORDS, `${words} words`);
});

const browser = await launchBrowser();

test(
  'The commands of the first start and of the README end with a login in the browser',
  { skip: !browser },
  async (t) => {
    t.after(() => browser?.close());
    if (!browser) return;
    const origin = `http://localhost:${await freePort()}`;
    await shell.run(`export ORIGIN=${origin}`);
    const typed = [
      ['http://localhost:8080', issuer],
      ['http://localhost:3000', origin],
    ].reduce((text, [from = '', to = '']) => text.replaceAll(from, to), register?.text ?? '');
    await shell.run(`${typed.trimEnd()} >/dev/null 2>&1 &`);
    await until('the example responds', () =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    );
    const { page, complaints } = await newVisitor(browser, { hasScripts: true });
    await page.goto(origin);
    await page.click('#login');
    await fillInLogin(page, ADA);
    await page.click('#consent-allow');
    await page.waitForURL(`${origin}/`);
    assert.equal(await page.textContent('h1'), `Hello ${ADA.identifier}`);
    assert.deepEqual(complaints, []);
  },
);

test('The API of the README accepts only tokens that are valid and have its scope', async (t) => {
  const folder = await temporaryDirectory('readme-api');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const port = String(await freePort());
  const code = api?.text.replace('https://id.example.com/t/org_acme', issuer).replace('3000', port);
  await writeFile(join(folder, 'api.mts'), code ?? '');
  const url = `http://localhost:${port}/reports`;
  const args = ['--conditions=@keywright/source', 'api.mts'];
  const program = await startProgram(process.execPath, args, { cwd: folder, url });
  t.after(() => program.close());
  const call = (token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await fetch(url)).status, 401);
  const login = { body: { identifier: ADA.identifier, secret: ADA.password } };
  const ada = await server.http.request<{ access_token: string }>('POST', '/auth/login', login);
  assert.equal((await call(ada.body.access_token)).status, 403);
  const token = (await shell.run('echo "$TOKEN"')).trim();
  const response = await call(token);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { for: claimsOf(token).sub });
});
