// A service, a user and a browser, for third-party applications. Their configuration follows their manuals, with the
// URLs and the client of the test.

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { fillInLogin, newVisitor, registerApplication } from '../harness/login-pages.ts';
import { freePort } from '../harness/program.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import type { TenantOverrides, TestTenant, TestUser } from '../harness/tenant.ts';

const APPLICATIONS = fileURLToPath(new URL('applications', import.meta.url));

/** The example values in the applications' files, which a reader replaces. */
const EXAMPLE = {
  issuer: 'https://id.example.com/t/org_acme',
  origin: 'https://app.example.com',
  clientId: 'client_01m81f1h9m6x3r8t2z5w7y0kqd',
  clientSecret: 'kwc_EXAMPLE',
  upstream: 'http://127.0.0.1:3000/',
  listen: '127.0.0.1:4180',
  host: '"id.example.com"',
} as const;

export interface Scene {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly issuer: string;
  readonly user: TestUser;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Access tokens last one minute, so that an application that checks the expiry refreshes them on each use. */
export async function setScene(config: TenantOverrides['config'] = {}): Promise<Scene> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('These tests need Chromium (Debian: apt-get install chromium).');
  const keywright = await startKeywright({
    env: { KEYWRIGHT_BASE_URL: undefined, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1,localhost' },
  });
  const tenant = await keywright.tenant('applications', {
    config: { session_timeout: 60, ...config },
  });
  const user = await tenant.createUser();
  const path = `/users/${user.user.id}`;
  const metadata = { given_name: 'Ada', family_name: 'Lovelace' };
  const body = { name: 'Ada Lovelace', metadata };
  expectStatus(
    200,
    await tenant.request('PATCH', path, { token: await tenant.adminToken(), body }),
  );
  await keywright.database.query(
    'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1',
    [tenant.id],
  );
  return {
    keywright,
    tenant,
    issuer: `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`,
    user,
    browser,
    async close() {
      await browser.close();
      await keywright.close();
    },
  };
}

export interface Registered {
  readonly client: CreatedOAuthClient;
  readonly origin: string;
}

interface Registration {
  /** Where users return to. */
  readonly callback: string;
  /** The path to return to after a logout. Default: /. */
  readonly loggedOut?: string;
  /** The URL that is notified of logouts. Default: none. */
  readonly backchannel?: string;
  /** The client's `require_pkce`. Default: null. */
  readonly requirePkce?: boolean;
}

/** Registers a client for an application at a separate origin. */
export async function register(
  { tenant }: Scene,
  { callback, loggedOut = '/', backchannel, requirePkce }: Registration,
): Promise<Registered> {
  const origin = `http://localhost:${await freePort()}`;
  const client = await registerApplication(tenant, {
    redirect_uris: [`${origin}${callback}`],
    post_logout_redirect_uris: [`${origin}${loggedOut}`],
    ...(backchannel !== undefined && { backchannel_logout_uri: `${origin}${backchannel}` }),
    ...(requirePkce !== undefined && { require_pkce: requirePkce }),
  });
  return { client, origin };
}

/** A copy of an application's folder whose file is configured for the test. @returns the copy */
export async function configured(
  { issuer }: Scene,
  { client, origin }: Registered,
  { folder, file, upstream = '' }: { folder: string; file: string; upstream?: string },
): Promise<string> {
  const cwd = await temporaryDirectory('application');
  await cp(join(APPLICATIONS, folder), cwd, { recursive: true });
  const values = {
    issuer,
    origin,
    clientId: client.id,
    clientSecret: client.client_secret ?? '',
    upstream,
    listen: new URL(origin).host,
    host: `"${new URL(issuer).host}"`,
  };
  const path = join(cwd, file);
  let text = await readFile(path, 'utf8');
  for (const name of Object.keys(EXAMPLE) as (keyof typeof EXAMPLE)[]) {
    text = text.replaceAll(EXAMPLE[name], values[name]);
  }
  await writeFile(path, text);
  return cwd;
}

/**
 * Logs in at an address that asks for it, in a browser without scripts, and consents.
 *
 * @param back where this leads to
 * @param button that the page has instead of a redirect
 */
export async function logInAt(
  { browser, user }: Scene,
  url: string,
  back = new URL(url).origin,
  button?: string,
): Promise<Page> {
  const { page } = await newVisitor(browser, { hasScripts: false });
  await page.goto(url);
  if (button !== undefined) await page.click(button);
  await fillInLogin(page, user);
  await page.click('#consent-allow');
  await page.waitForURL((at) => at.href.startsWith(back));
  return page;
}

/** Waits for the login page: the user is logged in neither to the application nor to the service. */
export async function mustLogIn(page: Page): Promise<void> {
  await page.waitForSelector('#login-submit');
}

/** Ends all sessions of the user, and nothing in the browser. */
export async function endSessions({ tenant, user }: Scene): Promise<void> {
  const token = await tenant.adminToken();
  const path = `/sessions?user_id=${encodeURIComponent(user.user.id)}`;
  expectStatus(200, await tenant.request('DELETE', path, { token }));
}

/** Sets the lifetime of new access tokens: with an hour, an application has no reason to refresh them. */
export async function setLifetime({ tenant }: Scene, seconds: number): Promise<void> {
  const body = { config: { session_timeout: seconds } };
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
}

/** Waits until the application, notified that the login ended, requires a new one. */
export async function waitForLoginPage({ issuer }: Scene, page: Page, url: string): Promise<void> {
  await until('the application asks for a login', async () => {
    await page.goto(url);
    return page.url().startsWith(issuer);
  });
}
