// The pages of docs/frameworks, followed from their first command to a sign-out in Chromium.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, launchBrowser, type Page } from '../conformance/browser.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { fillInLogin, newVisitor } from '../harness/login-pages.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';
import { type Choices, followPage, type Site } from './framework-page.ts';
import { needTool, unlessMissing } from './tools.ts';

const PAGES = join(import.meta.dirname, '../../docs/frameworks');
/** A part of what the API returns, as each site shows it. */
const API_RESPONSE = /"given_name"\s*:\s*"Ada"/;
const ADA = { identifier: 'ada@example.com', password: 'engines of analysis' };

interface Tested {
  readonly page: string;
  readonly framework: string;
  readonly needs: readonly Parameters<typeof needTool>[0][];
  /** The library renews access tokens without a login. */
  readonly refreshes: boolean;
}

const TESTED: readonly Tested[] = [
  { page: 'express.md', framework: 'Express', needs: ['npm'], refreshes: true },
  { page: 'nextjs.md', framework: 'Next.js', needs: ['npm'], refreshes: true },
  { page: 'react.md', framework: 'React', needs: ['npm'], refreshes: true },
  { page: 'vue.md', framework: 'Vue', needs: ['npm'], refreshes: true },
  { page: 'go.md', framework: 'Go', needs: ['go'], refreshes: true },
  { page: 'django.md', framework: 'Django', needs: ['python'], refreshes: false },
  { page: 'spring.md', framework: 'Spring Boot', needs: ['javac', 'mvn'], refreshes: true },
  { page: 'sveltekit.md', framework: 'SvelteKit', needs: ['npm'], refreshes: true },
  { page: 'nuxt.md', framework: 'Nuxt', needs: ['npm'], refreshes: true },
];

describe('the pages about frameworks', () => {
  let browser: Browser;
  let database: TestDatabase;
  let server: ServerProcess;
  let choices: Choices;

  before(async () => {
    const launched = await launchBrowser();
    if (!launched) throw new Error('These tests need Chromium (Debian: apt-get install chromium).');
    browser = launched;
    database = await createDatabase();
    const [IDENTIFIER, SECRET] = ['root@example.com', randomBytes(15).toString('base64url')];
    server = await startServerProcess({
      env: {
        KEYWRIGHT_DATABASE_URL: database.url,
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
        KEYWRIGHT_ADMIN_IDENTIFIER: IDENTIFIER,
        KEYWRIGHT_ADMIN_SECRET: SECRET,
        KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1,localhost',
      },
    });
    const KEYWRIGHT = `http://localhost:${new URL(server.url).port}`;
    choices = { KEYWRIGHT, IDENTIFIER, SECRET };
    await prepare();
  });
  after(async () => {
    await browser.close();
    await server.kill9();
    await database.drop();
  });

  /** Creates the user. Access tokens last one minute, so that a site that checks the expiry refreshes on each use. */
  async function prepare(): Promise<void> {
    const { IDENTIFIER: identifier, SECRET: secret } = choices;
    const login = await server.http.request<{ access_token: string }>('POST', '/auth/login', {
      body: { identifier, secret },
    });
    const token = expectStatus(200, login).access_token;
    const { body: user } = await server.http.request<{ id: string }>('POST', '/users', {
      token,
      body: ADA,
    });
    const metadata = { given_name: 'Ada', family_name: 'Lovelace' };
    const person = { name: 'Ada Lovelace', metadata };
    expectStatus(
      200,
      await server.http.request('PATCH', `/users/${user.id}`, { token, body: person }),
    );
    const body = { config: { session_timeout: 60 } };
    expectStatus(200, await server.http.request('PATCH', '/tenants/org_default', { token, body }));
    await database.query('UPDATE user_identifiers SET verified = true');
  }

  /** How often the sessions of an application were refreshed. */
  async function refreshesOf({ clientId }: Site): Promise<number> {
    const [row] = await database.query<{ times: number }>(
      'SELECT sum(generation)::int AS times FROM sessions WHERE client_id = $1',
      [clientId],
    );
    return Number(row?.times);
  }

  /** @throws with what the browser shows and what the site printed */
  async function useSite(site: Site, refreshes: boolean): Promise<void> {
    const { page } = await newVisitor(browser, { hasScripts: true });
    await visit(page, site, refreshes).catch(async (error: unknown) => {
      const shown = `${page.url()} ${(await page.textContent('body')) ?? ''}`;
      throw new Error(`${String(error)}\n${shown}\n${await site.output()}`, { cause: error });
    });
  }

  async function visit(page: Page, site: Site, refreshes: boolean): Promise<void> {
    const profile = `${site.origin}/profile`;
    await page.goto(profile);
    await fillInLogin(page, ADA);
    await page.waitForURL((at) => at.origin === site.origin);
    await page.goto(profile);
    await page.getByText('Ada Lovelace').first().waitFor();
    await page.getByText(ADA.identifier).first().waitFor();
    await page.getByText(API_RESPONSE).waitFor();
    if (refreshes) {
      const times = await refreshesOf(site);
      await page.goto(profile);
      await until('the site refreshes', async () => (await refreshesOf(site)) > times);
      await page.getByText(API_RESPONSE).waitFor();
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Sign in').waitFor();
    assert.equal(page.url(), `${site.origin}/`);
    await page.goto(profile);
    await page.waitForSelector('#login-submit');
  }

  for (const { page, framework, needs, refreshes } of TESTED) {
    test(`The code of the page about ${framework} signs users in and out, and calls an API`, async (t) => {
      await unlessMissing(t, async () => {
        for (const tool of needs) await needTool(tool);
        const site = await followPage(page, choices);
        t.after(() => site.close());
        await useSite(site, refreshes);
      });
    });
  }
});

test('Every page about a framework states truthfully whether this test follows it', () => {
  const tested = TESTED.map(({ page }) => page);
  const pages = globSync('*.md', { cwd: PAGES }).map((path) => basename(path));
  const stated = pages.filter((page) => page !== 'index.md');
  for (const page of stated) {
    const [, , line = ''] = readFileSync(join(PAGES, page), 'utf8').split('\n');
    const mark = tested.includes(page) ? '_Tested with ' : '_Not run by our tests: ';
    assert.ok(line.startsWith(mark), `${page} starts with ${mark}`);
  }
  assert.deepEqual(
    tested.filter((page) => !stated.includes(page)),
    [],
  );
});
