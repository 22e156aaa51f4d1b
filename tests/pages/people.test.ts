// Accessibility and weight of the pages on the real service: in the user's system colors, at their zoom, with their
// password manager. Keyboard-only use is in keyboard.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ACCOUNT_SECTIONS } from '@keywright/contract/routes/account';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { newPkce } from '../harness/visitor.ts';
import { FOCUS_FAULT } from './in-page.ts';
import { Traffic } from '../console/traffic.ts';

const CALLBACK = 'https://app.example.com/callback';
/** Without the font, which no page waits for. */
const HOSTED_BYTES = 9 * 1024;
const ACCOUNT_BYTES = 12 * 1024;
/** In addition to the logo: colors, links, the side layout, and the headers of the logo. */
const BRAND_BYTES = 2.5 * 1024;
const LOGO_BYTES = 20_000;
const BRAND = {
  company_name: 'Acme Robotics',
  primary_color: '#ffe14d',
  secondary_color: '#0b6e4f',
  corner: 12,
  layout: 'split-start',
  background: 'gradient',
  terms_url: 'https://acme.example.com/terms',
  privacy_url: 'https://acme.example.com/privacy',
  support_email: 'help@acme.example.com',
};

function logoOf(color: string): Buffer {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/>`;
  return Buffer.from(`${head.padEnd(LOGO_BYTES - 6)}</svg>`);
}

const browser = await launchBrowser();

describe('on the real service', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let keywright: Keywright;
  let tenant: TestTenant;
  let user: TestUser;
  let clientId: string;

  before(async () => {
    keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
    tenant = await keywright.tenant('people');
    user = await tenant.createUser();
    clientId = await registerClient(tenant, { redirect_uris: [CALLBACK] });
  });
  after(async () => {
    await browser?.close();
    await keywright.close();
  });

  const at = (path: string) => `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}${path}`;

  function loginAddress(): string {
    const { challenge } = newPkce();
    const parameters = new URLSearchParams({
      client_id: clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    return at(`/oauth/authorize?${parameters.toString()}`);
  }

  async function open(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
    const context = await (browser as Browser).newContext(options);
    const page = await context.newPage();
    await page.route(`${CALLBACK}*`, (route) => route.fulfill({ body: 'back' }));
    return { context, page };
  }

  async function logIn(page: Page): Promise<void> {
    await page.goto(at('/account'));
    await page.fill('#identifier', user.identifier);
    await page.fill('#secret', user.password);
    await page.click('#login-submit');
    await page.waitForURL(/\/account/);
  }

  test('The first view of a login weighs at most 9 KB without its font, and a section of the account page 12 KB', async (t) => {
    const { context, page } = await open();
    const weigh = await startWeighing(context, page);
    await page.goto(loginAddress());
    const login = weigh();
    t.diagnostic(`login: ${login} bytes`);
    assert.ok(login > 0 && login <= HOSTED_BYTES, `the login weighs ${login} bytes`);
    await logIn(page);
    for (const section of ACCOUNT_SECTIONS) {
      weigh();
      await page.goto(at(`/account?section=${section}`));
      const bytes = weigh();
      t.diagnostic(`${section}: ${bytes} bytes`);
      assert.ok(bytes > 0 && bytes <= ACCOUNT_BYTES, `${section} weighs ${bytes} bytes`);
    }
    await context.close();
  });

  test('A brand with everything adds its logo and at most 2.5 KB to a login page', async (t) => {
    const branded = await keywright.tenant('branded');
    const body = { branding: BRAND };
    const token = await branded.adminToken();
    expectStatus(200, await branded.request('PATCH', `/tenants/${branded.id}`, { token, body }));
    await keywright.database.query(
      `INSERT INTO logos (tenant_id, kind, url, status, digest, content_type, image)
       VALUES ($1, 'logo', 'https://acme.example.com/logo', 'stored', sha256($2), 'image/svg+xml', $2),
              ($1, 'logo_dark', 'https://acme.example.com/dark', 'stored', sha256($3), 'image/svg+xml', $3)`,
      [branded.id, logoOf('black'), logoOf('white')],
    );
    const bytesOf = async (address: string) => {
      const { context, page } = await open();
      const weigh = await startWeighing(context, page);
      const traffic = Traffic.of(page);
      await page.goto(address);
      await traffic.settle();
      const bytes = weigh();
      const images = await page.evaluate<number>(
        `[...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length`,
      );
      await context.close();
      return { bytes, images };
    };
    const plain = await bytesOf(loginAddress());
    const client = await registerClient(branded, { redirect_uris: [CALLBACK] });
    const address = loginAddress().replace(tenant.id, branded.id).replace(clientId, client);
    const { bytes, images } = await bytesOf(address);
    assert.equal(images, 1, 'one logo is loaded, for the scheme of the browser');
    const more = bytes - plain.bytes - LOGO_BYTES;
    t.diagnostic(`login: ${plain.bytes} bytes, with a brand ${more} and the logo more`);
    assert.ok(more > 0 && more <= BRAND_BYTES, `the brand weighs ${more} bytes`);
  });

  test('No element of the login and account pages moves once it is shown', async () => {
    const { context, page } = await open();
    await page.addInitScript(COLLECT_SHIFTS);
    for (const address of [loginAddress(), at('/account')]) {
      await page.goto(address);
      // Two frames: what is shown first, and what would move it.
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      );
      assert.deepEqual(await page.evaluate('shifts'), [], address);
    }
    await context.close();
  });

  test('All controls have an edge in the colors of the system, and nothing is animated under reduced motion', async () => {
    const { context, page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.goto(loginAddress());
    assert.deepEqual(await page.evaluate(WITHOUT_EDGE), []);
    await page.focus('#login-submit');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(FOCUS_FAULT), '');
    await logIn(page);
    for (const section of ACCOUNT_SECTIONS) {
      await page.goto(at(`/account?section=${section}`));
      assert.deepEqual(await page.evaluate(WITHOUT_EDGE), [], section);
      assert.equal(await page.evaluate('document.getAnimations().length'), 0);
    }
    await context.close();
  });

  test('A password manager finds one login form in the light DOM, with both fields marked by their purpose', async () => {
    const { context, page } = await open();
    await page.goto(loginAddress());
    const login = await page.evaluate(FIELDS);
    assert.deepEqual(login, [
      ['identifier', 'identifier', 'text', 'username webauthn', 'login-submit'],
      ['secret', 'secret', 'password', 'current-password', 'login-submit'],
    ]);
    await page.fill('#identifier', user.identifier);
    await page.fill('#secret', 'a guess');
    await page.click('#login-submit');
    await page.waitForLoadState();
    assert.deepEqual(await page.evaluate(FIELDS), login, 'the same after a failure');
    assert.equal(await page.inputValue('#identifier'), user.identifier);
    assert.equal(await page.inputValue('#secret'), '');
    await context.close();
  });
});

/** @returns a function for the bytes since its last call: status lines, headers, bodies and redirects */
async function startWeighing(context: BrowserContext, page: Page): Promise<() => number> {
  const session = await context.newCDPSession(page);
  let bytes = 0;
  const fonts = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!fonts.has(requestId)) bytes += encodedDataLength;
  });
  session.on('Network.requestWillBeSent', ({ redirectResponse }) => {
    bytes += redirectResponse?.encodedDataLength ?? 0;
  });
  await session.send('Network.enable');
  return () => {
    const received = bytes;
    bytes = 0;
    return received;
  };
}

/** CLS: Layout Instability §2. */
const COLLECT_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true });
`;

/** Finds controls without a visible edge in forced colors, where fills are removed. */
const WITHOUT_EDGE = `(() => {
  const controls = [...document.querySelectorAll('button, input:not([type=hidden])')].filter((one) => one.checkVisibility());
  return controls.filter((one) => {
    const { borderBlockStartStyle, borderBlockStartWidth, textDecorationLine } = getComputedStyle(one);
    return textDecorationLine !== 'underline' && (borderBlockStartStyle === 'none' || parseFloat(borderBlockStartWidth) < 1);
  }).map((one) => one.outerHTML);
})()`;

const FIELDS = `[...document.forms[0].querySelectorAll('input:not([type=hidden])')].map((one) =>
  [one.id, one.name, one.type, one.autocomplete, one.form.querySelector('button[name=action]').id])`;
