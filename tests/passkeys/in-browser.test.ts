import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { blocksOf } from '../e2e/guide-page.ts';
import { paste } from '../e2e/shell.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';
import type { AddedPasskey } from '../harness/passkey.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { serveSite } from './site.ts';

const HOST = 'id.example.com';
const BELOW = `app.${HOST}`;
const RELATED = 'shop.example.net';
const OTHER = 'evil.example.org';

const keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: `https://${HOST}` } });
const site = await serveSite([HOST, BELOW, RELATED, OTHER], keywright.url);
/** Undefined on a machine without one. */
const browser = await launchBrowser(site.flags);

after(async () => {
  await browser?.close();
  await site.close();
  await keywright.close();
});

type Answer = Partial<TokenAnswer> & { readonly code?: string };

describe('in Chromium', { skip: browser ? false : 'there is no Chromium' }, () => {
  let context: BrowserContext;
  let page: Page;
  let authenticator: Authenticator;
  let tenant: TestTenant;
  let user: TestUser;
  let count = 0;

  beforeEach(async () => {
    await context?.close();
    count += 1;
    tenant = await keywright.tenant(`passkeys-${count}`, { domains: [] });
    user = await tenant.createUser();
    if (!browser) throw new Error('There is no browser.');
    context = await browser.newContext();
    page = await context.newPage();
    authenticator = await Authenticator.addTo(page);
    await page.goto(`https://${HOST}/page`);
  });

  const register = (token = user.token) =>
    call<AddedPasskey & Answer>(page, 'register', tenant, token);
  const logIn = (
    where: Target = page,
    mediation: 'optional' | 'conditional' = 'optional',
    of = tenant,
  ) => call<Answer>(where, 'logIn', of, mediation);

  test('A passkey is added in Chromium, and logs its user in without an identifier', async () => {
    const added = await register();
    assert.equal(added.factor.type, 'passkey', JSON.stringify(added));
    assert.equal((await authenticator.passkeys()).length, 1);
    const { user: loggedIn, access_token: token = '' } = await logIn();
    assert.equal(loggedIn?.id, user.user.id);
    const { acr, amr } = claimsOf(token);
    assert.deepEqual([acr, amr], ['phr', ['pop', 'user', 'hwk', 'mfa']]);
  });

  test('A passkey is offered in the field for the identifier, without a click', async () => {
    await register();
    const answer = await logIn(page, 'conditional');
    assert.equal(answer.user?.id, user.user.id);
  });

  test('A passkey is not used without user verification, and a page that does not require verification is refused', async () => {
    await register();
    await authenticator.verifyUser(false);
    assert.match(String(await logIn().catch((error: unknown) => error)), /NotAllowedError/);
    await page.evaluate(`
      const parse = PublicKeyCredential.parseRequestOptionsFromJSON;
      PublicKeyCredential.parseRequestOptionsFromJSON = (options) =>
        parse.call(PublicKeyCredential, { ...options, userVerification: 'discouraged' });
    `);
    assert.equal((await logIn()).code, 'PASSKEY_REFUSED');
    await page.reload();
    await authenticator.verifyUser(true);
    assert.ok((await logIn()).access_token);
  });

  test('A page below the domain, which the browser lets use a passkey, is refused unless the tenant names its origin', async () => {
    await register();
    await page.goto(`https://${BELOW}/page`);
    assert.equal((await logIn()).code, 'PASSKEY_REFUSED');
    const token = await tenant.adminToken();
    const body = { config: { passkey_origins: [`https://${BELOW}`] } };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
    assert.equal((await logIn()).user?.id, user.user.id);
  });

  test('A passkey of one tenant logs no one in at another tenant of the same host', async () => {
    await register();
    const other = await keywright.tenant(`passkeys-${count}-other`, { domains: [] });
    await other.createUser();
    const refused = await logIn(page, 'optional', other);
    assert.equal(refused.code, 'PASSKEY_REFUSED');
  });

  test('A page on another domain can use a passkey if the tenant names its origin', async () => {
    // The host determines the tenant whose document is served at /.well-known/webauthn.
    tenant = await keywright.tenant(`passkeys-${count}-app`, { domains: [HOST] });
    await followGuide(tenant);
    user = await tenant.createUser();
    await register();
    const [related, other] = [await context.newPage(), await context.newPage()];
    for (const tab of [related, other]) await authenticator.shareWith(tab);
    await related.goto(`https://${RELATED}/page`);
    await other.goto(`https://${OTHER}/page`);
    assert.equal((await logIn(related)).user?.id, user.user.id);
    assert.match(String(await logIn(other).catch((error: unknown) => error)), /SecurityError/);
  });

  test('A passkey in a frame of another site is refused', async () => {
    await register();
    await page.goto(`https://${OTHER}/frame?of=${encodeURIComponent(`https://${HOST}/page`)}`);
    const frame = page.frames().find((candidate) => candidate.url().startsWith(`https://${HOST}/`));
    assert.ok(frame);
    const refused = await logIn(frame);
    assert.equal(refused.code, 'PASSKEY_REFUSED');
    await authenticator.replaceBy([]);
    const { token } = await tenant.createUser();
    assert.equal((await call<Answer>(frame, 'register', tenant, token)).code, 'PASSKEY_REFUSED');
  });

  test('A removed passkey is refused and deleted from the authenticator', async () => {
    const { factor } = await register();
    const path = `/me/factors/${factor.id}`;
    const { access_token: token = '' } = await logIn();
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    const refused = await logIn();
    assert.equal(refused.code, 'PASSKEY_REFUSED');
    assert.deepEqual(await authenticator.passkeys(), []);
  });

  test('A copy of a passkey whose counter lags behind is refused and reported', async () => {
    await register();
    const copy = await authenticator.passkeys();
    await logIn();
    await logIn();
    await authenticator.replaceBy(copy);
    const refused = await logIn();
    assert.equal(refused.code, 'PASSKEY_REFUSED');
    const events = await keywright.database.query<{ data: { user_id: string } }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND type = 'factor.suspicious'`,
      [tenant.id],
    );
    assert.deepEqual(
      events.map(({ data }) => data.user_id),
      [user.user.id],
    );
  });

  test('No user can have two passkeys of one account on one authenticator', async () => {
    await register();
    const { access_token: token } = await logIn();
    assert.match(
      String(await register(token).catch((error: unknown) => error)),
      /InvalidStateError/,
    );
  });
});

/** Runs the guide's command, which sets the related origin. */
async function followGuide(tenant: TestTenant): Promise<void> {
  const block = blocksOf('passkeys.md').find(({ text }) => text.includes('passkey_origins'));
  const { stdout } = await paste(block?.text ?? '', {
    KEYWRIGHT: keywright.url,
    TENANT: tenant.id,
    TOKEN: await tenant.adminToken(),
  });
  assert.deepEqual(JSON.parse(stdout).config.passkey_origins, [`https://${RELATED}`], stdout);
}

type Target = Pick<Page, 'evaluate'>;

/** Calls a function of the page. */
function call<Result>(
  where: Target,
  name: 'register' | 'logIn',
  { id }: TestTenant,
  argument: unknown,
): Promise<Result> {
  return where.evaluate<Result>(`${name}(${JSON.stringify(id)}, ${JSON.stringify(argument)})`);
}
