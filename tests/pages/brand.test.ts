// Logos against a real server of the tenant, and the brand on the pages, in a real browser.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { LogoRecord } from '@keywright/contract/records/logo';
import { launchBrowser } from '../conformance/browser.ts';
import { registerClient } from '../harness/application.ts';
import { Authority } from '../harness/certificate.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { newPkce, Visitor } from '../harness/visitor.ts';

const CALLBACK = 'https://app.example.com/callback';
const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="red"/></svg>';
const HOSTILE =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="run"</script></svg>';
const MAX_BYTES = 256 * 1024;

const browser = await launchBrowser();
const authority = new Authority();

let keywright: Keywright;
let tenant: TestTenant;
let site: Receiver;
/** The responses of the tenant's server, by path. */
let answers: Map<string, (response: ServerResponse) => void>;
let requestedPaths: string[];

before(async () => {
  site = await startReceiver(
    ({ url = '' }, response) => {
      requestedPaths.push(url);
      const answer = answers.get(url);
      if (answer) answer(response);
      else response.writeHead(404).end();
    },
    { certificate: authority.issue(['127.0.0.1']) },
  );
  keywright = await startKeywright({
    nodes: 2,
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_BASE_URL: undefined },
    outside: { ca: authority.ca },
  });
});
after(async () => {
  await browser?.close();
  await keywright.close();
  await site.close();
});
beforeEach(async () => {
  answers = new Map();
  requestedPaths = [];
  tenant = await keywright.tenant(newSlug());
});

let made = 0;
const newSlug = () => `brand-${(made += 1)}`;

const at = (path: string) => `https://127.0.0.1:${site.port}${path}`;
const image = (body: string | Buffer) => (response: ServerResponse) => void response.end(body);
const sha256 = (body: string) => createHash('sha256').update(body).digest('hex');

async function brand(branding: object): Promise<void> {
  const request = { token: await tenant.adminToken(), body: { branding } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, request));
}

async function logos(): Promise<LogoRecord[]> {
  const answer = await tenant.request('GET', '/logos', { token: await tenant.adminToken() });
  return expectStatus(200, answer)['items'] as LogoRecord[];
}

/** Waits until no logo is pending. */
const settled = () =>
  until('the logos', async () => {
    const all = await logos();
    return all.every(({ status }) => status !== 'pending') && all;
  });

async function fetchAgain(): Promise<LogoRecord[]> {
  const request = { token: await tenant.adminToken() };
  const answer = await tenant.request('POST', '/logos/fetch', request);
  return expectStatus(200, answer)['logos'] as LogoRecord[];
}

const imageAt = (digest: string, of = tenant) =>
  keywright.request('GET', `/t/${of.id}/brand/${digest}`);

/** The first page of a login. */
async function loginAddress(node = 0): Promise<string> {
  const client_id = await registerClient(tenant, { redirect_uris: [CALLBACK] });
  const { challenge: code_challenge } = newPkce();
  const query = { client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' };
  const pkce = { code_challenge, code_challenge_method: 'S256' };
  const base = keywright.nodes[node]?.baseUrl ?? '';
  const parameters = new URLSearchParams({ ...query, ...pkce }).toString();
  return `${base}/t/${tenant.id}/oauth/authorize?${parameters}`;
}

describe('the stylesheet of all pages', () => {
  /** Reads without fetch, which decompresses. */
  async function read(address: string, accepts?: string) {
    const headers = accepts === undefined ? {} : { 'accept-encoding': accepts };
    const [answer] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  }

  test('The stylesheet of all pages is compressed as the browser accepts it, and cached permanently at the address in a page', async () => {
    const { origin, pathname, search } = new URL(await loginAddress());
    const { text } = await new Visitor(tenant, `${origin}/t/${tenant.id}`).open(pathname + search);
    const [, path] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const address = `${origin}${path}`;
    const plain = await read(address);
    const coded = {
      br: brotliDecompressSync((await read(address, 'gzip, br')).bytes),
      gzip: gunzipSync((await read(address, 'gzip;q=0.5, br;q=0')).bytes),
    };
    assert.deepEqual(coded, { br: plain.bytes, gzip: plain.bytes });
    assert.match(plain.bytes.toString(), /body\{/);
    for (const [accepts, coding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['x', undefined],
    ] as const) {
      const { status, headers } = await read(address, accepts);
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], coding);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['vary'], 'Accept-Encoding');
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  test('The stylesheet of all pages is not cached at an address of another version of the service', async () => {
    const { status, headers, bytes } = await read(
      `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}/assets/look.css?v=earlier`,
    );
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    assert.ok(bytes.length > 0);
  });
});

describe('a logo', () => {
  test('A logo is fetched once when it is set, and then always served by the service', async () => {
    answers.set('/logo.svg', image(RED));
    await brand({ logo_url: at('/logo.svg') });
    const [logo] = await settled();
    assert.deepEqual(logo, {
      tenant_id: tenant.id,
      kind: 'logo',
      url: at('/logo.svg'),
      status: 'stored',
      reason: null,
      content_type: 'image/svg+xml',
      sha256: sha256(RED),
    });
    for (let times = 0; times < 3; times += 1) {
      const { status, text, headers } = await imageAt(sha256(RED));
      assert.deepEqual([status, text], [200, RED]);
      assert.equal(headers['content-type'], 'image/svg+xml');
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
      assert.equal(headers['set-cookie'], undefined);
    }
    assert.deepEqual(requestedPaths, ['/logo.svg']);
  });

  test('A logo of a new tenant is fetched as well', async () => {
    answers.set('/first.svg', image(RED));
    const slug = newSlug();
    const body = { name: 'Branded', slug, branding: { logo_url: at('/first.svg') } };
    const token = await keywright.adminToken();
    expectStatus(201, await keywright.home.request('POST', '/tenants', { token, body }));
    await until('the logo', () => requestedPaths.includes('/first.svg'));
  });

  test('A logo of one tenant is not available at another tenant', async () => {
    answers.set('/logo.svg', image(RED));
    await brand({ logo_url: at('/logo.svg') });
    await settled();
    const other = await keywright.tenant(newSlug());
    assert.equal((await imageAt(sha256(RED), other)).status, 404);
    assert.equal((await imageAt(sha256('another'))).status, 404);
  });

  test('A logo that changes is fetched again on request of the administrator, and appears on the pages of every node', async () => {
    answers.set('/logo.svg', image(RED));
    await brand({ logo_url: at('/logo.svg') });
    await settled();
    const blue = RED.replace('red', 'blue');
    answers.set('/logo.svg', image(blue));
    assert.equal((await fetchAgain())[0]?.sha256, sha256(blue));
    assert.equal((await imageAt(sha256(RED))).status, 404);
    assert.equal((await imageAt(sha256(blue))).status, 200);
  });

  test('A logo that is removed, or whose address changes, is no longer served', async () => {
    answers.set('/logo.svg', image(RED));
    await brand({ logo_url: at('/logo.svg') });
    await settled();
    await brand({ company_name: 'Acme' });
    assert.equal((await imageAt(sha256(RED))).status, 200);
    await brand({ logo_url: null });
    assert.deepEqual([(await imageAt(sha256(RED))).status, await logos()], [404, []]);
  });

  const failures: Readonly<Record<string, [(response: ServerResponse) => void, RegExp]>> = {
    'is not found': [(response) => void response.writeHead(404).end(), /not 200/],
    'is larger than 256 KiB': [image(RED.padEnd(MAX_BYTES + 1)), /too large/],
    'is a page': [image('<!doctype html>'), /not a PNG/],
    'is an SVG with a document type': [image(`<!DOCTYPE svg>${RED}`), /document type/],
    'leads elsewhere': [
      (response) => void response.writeHead(302, { location: at('/logo.svg') }).end(),
      /redirect/,
    ],
  };
  for (const [what, [answer, reason]] of Object.entries(failures)) {
    test(`A logo that ${what} is reported to the administrator as failed, with a reason`, async () => {
      answers.set('/logo.svg', answer);
      await brand({ logo_url: at('/logo.svg') });
      // Rejections are final, and other failures end with the last attempt.
      for (let times = 0; times < 5; times += 1) await fetchAgain();
      const [logo] = await logos();
      assert.deepEqual([logo?.status, logo?.sha256], ['failed', null]);
      assert.match(logo?.reason ?? '', reason);
    });
  }

  test('A logo of 256 KiB is accepted', async () => {
    answers.set('/logo.svg', image(RED.padEnd(MAX_BYTES)));
    await brand({ logo_url: at('/logo.svg') });
    assert.equal((await settled())[0]?.status, 'stored');
  });

  test('A logo is never fetched from an address that is not public', async () => {
    await brand({ logo_url: 'https://169.254.169.254/logo.svg' });
    const [logo] = await settled();
    assert.deepEqual([logo?.status, /not public/.test(logo?.reason ?? '')], ['failed', true]);
  });

  test('A stored logo remains while a later fetch fails', async () => {
    answers.set('/logo.svg', image(RED));
    await brand({ logo_url: at('/logo.svg') });
    await settled();
    answers.clear();
    const [logo] = await fetchAgain();
    assert.deepEqual([logo?.status, logo?.sha256], ['stored', sha256(RED)]);
    assert.match(logo?.reason ?? '', /not 200/);
  });
});

describe('the pages of a tenant, in Chromium', { skip: !browser }, () => {
  test('The pages of a tenant in Chromium show its logo, name, colors, corners and links, and load nothing from elsewhere', async () => {
    answers.set('/logo.svg', image(RED));
    await brand({
      logo_url: at('/logo.svg'),
      company_name: 'Acme <b>& Co',
      primary_color: '#0b6e4f',
      corner: 12,
      color_scheme: 'light',
      layout: 'split-start',
      font: 'inter',
      terms_url: 'https://acme.example.com/terms',
      privacy_url: 'https://acme.example.com/privacy',
      support_email: 'help@acme.example.com',
    });
    await settled();
    const context = await (browser as NonNullable<typeof browser>).newContext();
    const page = await context.newPage();
    const [complaints, hosts]: [string[], Set<string>] = [[], new Set()];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.goto(await loginAddress());
    const logo = page.getByAltText('Acme <b>& Co');
    const naturalWidth = (element: unknown) => (element as { naturalWidth: number }).naturalWidth;
    assert.equal(await logo.evaluate(naturalWidth), 80);
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .evaluate(
          (element, of) =>
            (
              globalThis as never as { getComputedStyle(target: unknown): Record<string, string> }
            ).getComputedStyle(element)[of],
          name,
        );
    assert.equal(await styleOf('#login-submit', 'backgroundColor'), 'rgb(11, 110, 79)');
    assert.equal(await styleOf('#login-submit', 'color'), 'rgb(255, 255, 255)');
    assert.equal(await styleOf('#login-submit', 'borderRadius'), '12px');
    const links = await page.locator('footer a').all();
    assert.deepEqual(await Promise.all(links.map((link) => link.getAttribute('href'))), [
      'https://acme.example.com/terms',
      'https://acme.example.com/privacy',
      'mailto:help@acme.example.com',
    ]);
    assert.deepEqual([complaints, hosts.size], [[], 1]);
    await context.close();
  });

  test('The pages of a tenant in Chromium follow a change immediately, on every node', async () => {
    const context = await (browser as NonNullable<typeof browser>).newContext();
    const page = await context.newPage();
    const names = ['Acme', 'Ajax', 'Apex', 'Axle'];
    for (const [turn, name] of names.entries()) {
      await brand({ company_name: name });
      await page.goto(await loginAddress(turn % 2));
      assert.equal(await page.locator('.brand').textContent(), name);
    }
    await context.close();
  });

  test('An SVG that is opened by itself runs nothing', async () => {
    answers.set('/logo.svg', image(HOSTILE));
    await brand({ logo_url: at('/logo.svg') });
    await settled();
    const page = await (browser as NonNullable<typeof browser>).newPage();
    await page.goto(`${keywright.nodes[0]?.baseUrl}/t/${tenant.id}/brand/${sha256(HOSTILE)}`);
    assert.notEqual(await page.title(), 'run');
    await page.close();
  });
});
