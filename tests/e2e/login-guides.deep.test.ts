// The guide that follows the README (readme.test.ts), to its end, a login in Chromium. Its commands are pasted as they
// stand, with the ports of this test.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { fillInLogin, newVisitor } from '../harness/login-pages.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { freePort } from '../harness/program.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import { type Block, blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';
import { commandsIn } from './shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const APPLICATIONS = join(ROOT, 'tests/clients/applications');
/** The user that the printed commands create. */
const ADA = { identifier: 'ada@example.com', password: 'engines of analysis' };

const browser = await launchBrowser();
const guide = blocksOf('add-login.md');

function blockWith(blocks: readonly Block[], text: string): string {
  const found = blocks.filter((block) => block.text.includes(text));
  assert.equal(found.length, 1, `one block has ${text}`);
  return found[0]?.text.trim() ?? '';
}

describe('followed from start to end', { skip: !browser }, () => {
  const chromium = browser as Browser;
  let server: ServerProcess;
  let shell: LongShell;
  let logs: string;
  /** Maps the addresses in the guides to those of this test. */
  const addresses = new Map<string, string>();

  before(async () => {
    const dataDir = join(await temporaryDirectory('login-guides'), 'data');
    server = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
    addresses.set('http://localhost:8080', `http://localhost:${new URL(server.url).port}`);
    addresses.set('http://localhost:3000', `http://localhost:${await freePort()}`);
    addresses.set('http://localhost:3001', `http://localhost:${await freePort()}`);
    logs = await temporaryDirectory('logs');
    const { PATH = '', ...inherited } = inheritedEnvironment();
    const env = { ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` };
    shell = new LongShell(env, ROOT);
    const origin = here('http://localhost:3000');
    await shell.run(`export ORIGIN=${origin} ISSUER=${here('http://localhost:8080')}`);
    for (const command of commandsIn(server.stdout)) await shell.run(command);
  });
  after(async () => {
    await browser?.close();
    await shell.close();
    await server.kill9();
  });

  const here = (address: string) => addresses.get(address) ?? '';

  async function run(text: string): Promise<string> {
    const typed = [...addresses].reduce((left, [from, to]) => left.replaceAll(from, to), text);
    return shell.run(typed);
  }

  /** Runs commands whose last one keeps running, in the background. @returns the process ID that ends it */
  async function runInBackground(text: string, name: string): Promise<string> {
    await run(`${text} >${logs}/${name} 2>&1 &`);
    return (await run('echo $!')).trim();
  }

  const isUp = (url: string) =>
    until(`${url} answers`, () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );

  async function logIn(page: Page): Promise<void> {
    await fillInLogin(page, ADA);
    await page.click('#consent-allow');
  }

  async function logInToSite(): Promise<void> {
    const origin = here('http://localhost:3000');
    await isUp(origin);
    const { page, complaints } = await newVisitor(chromium, { hasScripts: true });
    await page.goto(origin);
    await page.click('#login');
    await logIn(page);
    await page.waitForURL(`${origin}/`);
    assert.equal(await page.textContent('h1'), `Hello ${ADA.identifier}`);
    assert.deepEqual(complaints, []);
  }

  test('The login guide registers and starts a site', async () => {
    const [choices, login] = guide;
    const SECRET = /^ {2}Password +(\S+)/m.exec(server.stdout)?.[1] ?? '';
    const KEYWRIGHT = here('http://localhost:8080');
    const IDENTIFIER = 'admin@keywright.localhost';
    await shell.run(choicesIn(choices, { KEYWRIGHT, IDENTIFIER, SECRET }));
    await run(login?.text ?? '');
    await run(blockWith(guide, '"kind": "web"'));
    await runInBackground(blockWith(guide, 'node examples/express-login'), 'site');
    await logInToSite();
  });

  test('The login guide registers and starts a page without a server', async () => {
    await runInBackground(blockWith(guide, '"kind": "spa"'), 'page');
    const origin = here('http://localhost:3001');
    await isUp(origin);
    const { page, complaints } = await newVisitor(chromium, { hasScripts: true });
    await page.goto(origin);
    await page.click('#login');
    await fillInLogin(page, ADA);
    await page.getByText(`Hello ${ADA.identifier}`).waitFor();
    assert.deepEqual(complaints, []);
  });

  test('The login guide registers and starts a native program', async () => {
    await runInBackground(blockWith(guide, '"kind": "native"'), 'native');
    const log = join(logs, 'native');
    const output = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    const url = await until('the program names its address', () => /^http\S+/m.exec(output())?.[0]);
    const { page } = await newVisitor(chromium, { hasScripts: true });
    await page.goto(url);
    await logIn(page);
    await page.getByText('You can close this window.').waitFor();
    const expected = `You are ${ADA.identifier}.\nThere is a refresh token.\n`;
    await until('the user is logged in', () => output().endsWith(expected));
  });
});

describe('what the guides show, `npm run clients` runs', () => {
  const read = (path: string) => readFileSync(path, 'utf8').trim();

  test('The code that the guides show for Next.js and Spring is what `npm run clients` runs', () => {
    const example = read(join(ROOT, 'examples/nextjs-login/auth.js'));
    const lines = blockWith(guide, 'providers: [').split('\n');
    assert.ok(example.includes(lines.map((line) => `  ${line}`).join('\n')));
    const settings = read(join(APPLICATIONS, 'spring/src/main/resources/application.yaml'));
    assert.equal(blockWith(guide, 'issuer-uri'), settings);
  });

  test('The code that the guides show for third-party software is what `npm run clients` runs', () => {
    const blocks = blocksOf('login-for-other-software.md');
    const proxy = read(join(APPLICATIONS, 'oauth2-proxy/oauth2-proxy.cfg'));
    assert.equal(blockWith(blocks, 'provider = "oidc"'), proxy);
    const apache = read(join(APPLICATIONS, 'mod-auth-openidc/site.conf'));
    assert.equal(blockWith(blocks, 'OIDCClientID'), apache);
    const realm = JSON.parse(read(join(APPLICATIONS, 'keycloak/realm.json'))) as {
      identityProviders: unknown[];
    };
    assert.deepEqual(JSON.parse(blockWith(blocks, '"alias"')), realm.identityProviders[0]);
  });

  test('The code that the guides show for sites in Python is what `npm run clients` runs', () => {
    const shown = blocksOf('login-for-other-software.md').filter(
      ({ language }) => language === 'python',
    );
    const files = ['authlib_site', 'mozilla_site', 'social_site', 'allauth_site'];
    const marked = files.map((file) => {
      const program = read(join(APPLICATIONS, `python/${file}.py`));
      return /# In docs\/guide\/login-for-other-software\.md:\n([^]*?)# To here\./.exec(
        program,
      )?.[1];
    });
    assert.deepEqual(
      shown.map(({ text }) => text),
      marked,
    );
  });
});
