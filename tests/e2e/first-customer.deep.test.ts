// The tutorial about the first customer: each block is pasted into a shell, with a newly started service. The people of
// the tutorial use the hosted pages and the site in browsers without scripts.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { freePort } from '../harness/program.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { totpOf } from '../harness/totp.ts';
import { until } from '../harness/until.ts';
import { Visitor } from '../harness/visitor.ts';
import { GuideShell } from './guide-shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [GRACE, ADA] = ['grace@globex.example', 'ada@globex.example'];
const PASSWORD = 'engines of analysis';

describe('the tutorial about the first customer, followed from start to end', () => {
  let server: ServerProcess;
  let tutorial: GuideShell;
  let keywright: string;
  let issuer: string;
  let site: string;

  before(async () => {
    const dataDir = join(await temporaryDirectory('first-customer'), 'data');
    server = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
    keywright = `http://localhost:${new URL(server.url).port}`;
    issuer = `${keywright}/t/org_globex`;
    site = `http://localhost:${await freePort()}`;
    tutorial = await GuideShell.open('../tutorials/first-customer.md', ROOT);
  });
  after(async () => {
    await tutorial.close();
    await server.kill9();
  });

  const newBrowser = () => new Visitor({ request: server.http.request.bind(server.http) }, issuer);

  /** Waits for a message to this person. @returns the first group of the pattern */
  function messageTo(identifier: string, kind: string, pattern: RegExp): Promise<string> {
    return until(`${identifier} gets a message`, async () => {
      const text = await (await fetch(`${keywright}/dev/messages`)).text();
      const to = `To ${identifier}, org_globex, ${kind},`;
      const message = text.split('<article>').find((part) => part.includes(to));
      return pattern.exec(message ?? '')?.[1];
    });
  }

  /** Opens the link of an invitation, and chooses a password. */
  async function accept(identifier: string): Promise<Visitor> {
    const link = new URL(await messageTo(identifier, 'invitation', /href="(http[^"]+)"/));
    const browser = newBrowser();
    await browser.open(link.pathname + link.search);
    await browser.press('accept');
    await browser.press('new_password', { secret: PASSWORD });
    return browser;
  }

  test('The tutorial creates a tenant with an administrator and its own look', async () => {
    const SECRET = /^ {2}Password +(\S+)/m.exec(server.stdout)?.[1] ?? '';
    const IDENTIFIER = 'admin@keywright.localhost';
    await tutorial.logIn({ KEYWRIGHT: keywright, IDENTIFIER, SECRET });
    assert.equal((await tutorial.paste('"slug":"globex"')).trim(), issuer);
    assert.equal((await tutorial.paste("'host: login")).trim(), 'org_globex');
    assert.equal((await tutorial.pasteForJson('dry_run=true'))['users'], 0);
    await tutorial.paste('/auth/impersonate');
    assert.deepEqual(await tutorial.pasteForJson('sign_in() {'), ['org_globex', ['admin']]);
    assert.match(await tutorial.paste('"primary_color"'), /^stored$/m);
    const { text } = await newBrowser().open('/t/org_globex/account');
    assert.match(text, /<img src="[^"]+" alt="Globex"/);
  });

  test('The tutorial connects an application, and invites people in a tenant without registration', async () => {
    await tutorial.choose('SITE=http', { SITE: site });
    assert.match(await tutorial.paste('first_party'), /^200$/m);
    const settings = await tutorial.pasteForJson('"allowed_login_methods"');
    assert.deepEqual(settings, [['password', 'passkey', 'magic_link'], false, 'admin']);
    await tutorial.paste('"roles":["member"]');
  });

  test('The invited administrator of the tutorial adds a second factor, the invited user needs none, and the user signs in to the application', async () => {
    const grace = await accept(GRACE);
    const { text } = await grace.press('enroll');
    const key = /id="totp-key">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
    const enrolled = await grace.press('confirm_totp', { code: totpOf(key, new Date()) });
    assert.equal(enrolled.text.match(/<li><code>/g)?.length, 10, enrolled.title);
    const next = /id="codes-continue" href="([^"]+)"/.exec(enrolled.text)?.[1] ?? '';
    const joined = await grace.open(next);
    assert.equal(joined.redirectsTo?.href, `${issuer}/account`);
    const ada = await accept(ADA);
    const statuses = await tutorial.paste('api GET /invitations');
    assert.equal(statuses, `${ADA} accepted\n${GRACE} accepted\n`);
    assert.match(await signInToSite(ada), new RegExp(`Hello ${ADA}`));
  });

  test('The user of the tutorial signs in to the application with a password and with a code by email', async () => {
    const byPassword = await signInToSite(newBrowser(), async (browser) => {
      await browser.press('login', { identifier: ADA, secret: PASSWORD });
    });
    assert.match(byPassword, new RegExp(`Hello ${ADA}`));
    const byCode = await signInToSite(newBrowser(), async (browser) => {
      await browser.press('begin_code');
      await browser.press('send_code', { identifier: ADA });
      await browser.press('code', { code: await messageTo(ADA, 'login', /\b(\d{8})\b/) });
    });
    assert.match(byCode, new RegExp(`Hello ${ADA}`));
  });

  test('The tutorial ends with only the administrator of the customer, who sees the impersonation', async () => {
    assert.equal(
      (await tutorial.paste('/console/t/')).trim(),
      `${keywright}/console/t/org_globex/`,
    );
    const entry = await tutorial.pasteForJson('auth.impersonated');
    assert.deepEqual(entry, ['auth.impersonated', 'set up Globex']);
    assert.equal((await tutorial.paste('"is_active":false')).trim(), 'false');
    assert.deepEqual(tutorial.left, []);
  });

  /** Starts a sign-in at the site, and returns to it. @returns the page that the site shows */
  async function signInToSite(
    browser: Visitor,
    signIn: (browser: Visitor) => Promise<void> = async () => {},
  ): Promise<string> {
    const start = await fetch(`${site}/login`, { redirect: 'manual' });
    const login = new URL(start.headers.get('location') ?? '');
    await browser.open(login.pathname + login.search);
    await signIn(browser);
    const { redirectsTo, title } = browser.seen;
    assert.ok(redirectsTo, title);
    const cookie = cookieOf(start);
    const callback = await fetch(redirectsTo, { redirect: 'manual', headers: { cookie } });
    return (await fetch(site, { headers: { cookie: cookieOf(callback) } })).text();
  }
});

const cookieOf = ({ headers }: Response) => headers.get('set-cookie')?.split(';')[0] ?? '';
