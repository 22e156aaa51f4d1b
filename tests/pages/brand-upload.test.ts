// Uploaded logos: which are accepted, how the previous one is replaced, and what a hostile file can do.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { LogoRecord } from '@keywright/contract/records/logo';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import { launchBrowser } from '../conformance/browser.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { watchStatements } from '../harness/statements.ts';
import { until } from '../harness/until.ts';

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="red"/></svg>';
const BLUE = RED.replace('red', 'blue');
const MAX_BYTES = 256 * 1024;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const browser = await launchBrowser();
let keywright: Keywright;
/** A server that hostile files try to load from. */
let stranger: Receiver;
let requestedPaths: string[] = [];
let tenant: TestTenant;
let made = 0;

before(async () => {
  stranger = await startReceiver(({ url = '' }, response) => {
    requestedPaths.push(url);
    response.end();
  });
  keywright = await startKeywright({ nodes: 2, env: { KEYWRIGHT_BASE_URL: undefined } });
});
after(async () => {
  await browser?.close();
  await keywright.close();
  await stranger.close();
});
beforeEach(async () => {
  tenant = await keywright.tenant(`upload-${(made += 1)}`);
});

const sha256 = (body: string | Buffer) => createHash('sha256').update(body).digest('hex');
const base64 = (body: string | Buffer) => Buffer.from(body).toString('base64');

async function send<Body>(method: string, path: string, body?: object, of = tenant) {
  const token = await of.adminToken();
  return of.request<Body>(method, path, { token, ...(body && { body }) });
}

const put = (file: string | Buffer, kind = 'logo', of = tenant) =>
  send<LogoRecord>('PUT', `/logos/${kind}`, { image: base64(file) }, of);
const imageAt = (digest: string, of = tenant, node = 0) =>
  keywright.request('GET', `/t/${of.id}/brand/${digest}`, { node });
const brandingOf = async () =>
  expectStatus(200, await send<TenantRecord>('GET', `/tenants/${tenant.id}`)).branding;
const logos = async () =>
  expectStatus(200, await send<{ items: LogoRecord[] }>('GET', '/logos')).items;
const stored = () =>
  keywright.database.query<{ kind: string; digest: string }>(
    `SELECT kind, encode(digest, 'hex') AS digest FROM logos WHERE tenant_id = $1 ORDER BY kind`,
    [tenant.id],
  );

/** The logo of the first page of a login, as a node shows it. */
async function shownLogo(node: number): Promise<string | undefined> {
  const { host } = new URL(keywright.nodes[node]?.baseUrl ?? '');
  const path = `/t/${tenant.id}/console/login`;
  const { headers } = await keywright.request('GET', path, { node, host });
  const cookie = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const options = { node, host, headers: { cookie } };
  const { text } = await keywright.request('GET', headers.location ?? '', options);
  assert.match(text, /name="identifier"/);
  return /\/brand\/([0-9a-f]{64})/.exec(text)?.[1];
}

async function entries() {
  const { items } = expectStatus(
    200,
    await send<{ items: { details: object }[] }>('GET', '/audit?action=tenant.updated'),
  );
  return items.map(({ details }) => details);
}

describe('an uploaded logo', () => {
  test('An uploaded logo is served by its digest on every node and recorded in the audit log', async () => {
    const logo = expectStatus(200, await put(RED));
    assert.deepEqual(logo, {
      tenant_id: tenant.id,
      kind: 'logo',
      url: null,
      status: 'stored',
      reason: null,
      content_type: 'image/svg+xml',
      sha256: sha256(RED),
    });
    for (const node of [0, 1]) {
      const { status, text, headers } = await imageAt(sha256(RED), tenant, node);
      assert.deepEqual([status, text, headers['content-type']], [200, RED, 'image/svg+xml']);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
    assert.deepEqual(await entries(), [
      { fields: ['branding'], changes: [{ name: 'branding.logo', after: sha256(RED) }] },
    ]);
    expectStatus(200, await put(RED));
    assert.equal((await entries()).length, 1, 'the same file again changes nothing');
    assert.deepEqual(await logos(), [logo]);
  });

  test('An uploaded logo replaces the previous one, of which nothing is kept', async () => {
    for (const file of [RED, BLUE, PNG]) expectStatus(200, await put(file));
    expectStatus(200, await put(RED, 'logo_dark'));
    assert.deepEqual(await stored(), [
      { kind: 'logo', digest: sha256(PNG) },
      { kind: 'logo_dark', digest: sha256(RED) },
    ]);
    assert.equal((await imageAt(sha256(BLUE))).status, 404);
    assert.equal((await imageAt(sha256(PNG))).headers['content-type'], 'image/png');
  });

  test('An uploaded logo replaces a logo URL, and a logo URL replaces an uploaded logo', async () => {
    const url = 'https://127.0.0.1:9/logo.svg';
    const branding = { logo_url: url, logo_dark_url: url, company_name: 'Acme' };
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, { branding }));
    expectStatus(200, await put(RED));
    assert.deepEqual(await brandingOf(), { logo_dark_url: url, company_name: 'Acme' });
    expectStatus(200, await send('POST', '/logos/fetch'));
    assert.equal((await imageAt(sha256(RED))).status, 200, 'which is not fetched');
    const named = { branding: { company_name: 'Ajax' } };
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, named));
    assert.equal((await imageAt(sha256(RED))).status, 200, 'which another setting leaves alone');
    const again = { branding: { logo_url: url } };
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, again));
    assert.equal((await imageAt(sha256(RED))).status, 404);
    assert.equal((await logos())[0]?.url, url);
  });

  test('An uploaded logo is deleted with its image, and a logo URL is deleted the same way', async () => {
    expectStatus(200, await put(RED));
    const gone = expectStatus(200, await send('DELETE', '/logos/logo'));
    assert.deepEqual(gone, { kind: 'logo', deleted: true });
    assert.deepEqual([await stored(), (await imageAt(sha256(RED))).status], [[], 404]);
    assert.equal((await send('DELETE', '/logos/logo')).status, 404);
    const branding = { logo_url: 'https://127.0.0.1:9/logo.svg' };
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, { branding }));
    expectStatus(200, await send('DELETE', '/logos/logo'));
    assert.deepEqual([await stored(), await brandingOf()], [[], {}]);
  });

  test('An uploaded logo is on the pages of every node, and on none once it is deleted', async () => {
    for (const file of [RED, BLUE, undefined]) {
      // Each node caches its logo until it is notified of a change.
      for (const node of [0, 1]) await shownLogo(node);
      if (file) expectStatus(200, await put(file));
      else expectStatus(200, await send('DELETE', '/logos/logo'));
      const expected = file && sha256(file);
      for (const node of [0, 1]) {
        await until(`node ${node} shows it`, async () => (await shownLogo(node)) === expected);
      }
    }
  });

  test('An uploaded logo is read from the database once until it changes, however often it is requested', async () => {
    expectStatus(200, await put(RED));
    const path = `/t/${tenant.id}/brand/${sha256(RED)}`;
    const read = async (method = 'GET') => (await keywright.request(method, path)).status;
    assert.equal(await read(), 200);
    // If the notification of the change follows the first read, the tenant is read once more.
    await until('nothing is read from the database', async () => {
      const statements = watchStatements();
      assert.deepEqual([await read(), await read('HEAD')], [200, 200]);
      statements.stop();
      return statements.sent.length === 0;
    });
    expectStatus(200, await put(BLUE));
    assert.equal(await read(), 404);
  });

  test('An uploaded logo is the only one of its kind, however many uploads arrive at the same time', async () => {
    const files = Array.from({ length: 12 }, (_, n) => RED.replace('80', String(80 + n)));
    await tenant.adminToken();
    const answers = await Promise.all(files.map((file) => put(file)));
    assert.ok(answers.every(({ status }) => status === 200));
    const rows = await stored();
    assert.equal(rows.length, 1);
    assert.ok(files.some((file) => sha256(file) === rows[0]?.digest));
  });

  test('An uploaded logo belongs to its own tenant only', async () => {
    const other = await keywright.tenant(`upload-${(made += 1)}`);
    expectStatus(200, await put(RED));
    assert.equal((await imageAt(sha256(RED), other)).status, 404);
    assert.equal((await send('DELETE', '/logos/logo', undefined, other)).status, 404);
    assert.equal((await imageAt(sha256(RED))).status, 200);
    const { token } = await tenant.createUser();
    const body = { image: base64(BLUE) };
    assert.equal((await tenant.request('PUT', '/logos/logo', { token, body })).status, 403);
  });

  test('An uploaded logo has 256 KiB at most, a background 512 KiB, and each must be of a known kind', async () => {
    expectStatus(200, await put(RED.padEnd(MAX_BYTES)));
    const over = await put(RED.padEnd(MAX_BYTES + 1));
    assert.match(over.text, /larger than 256 KiB/);
    assert.equal((await put(RED.padEnd(MAX_BYTES + 3))).status, 400);
    assert.equal((await put(RED.padEnd(2 * MAX_BYTES), 'background')).status, 200);
    const wide = await put(RED.padEnd(2 * MAX_BYTES + 1), 'background');
    assert.match(wide.text, /larger than 512 KiB/);
    assert.equal((await put(RED.padEnd(4 * MAX_BYTES))).status, 413);
    assert.notEqual((await put(RED, 'favicon')).status, 200);
    assert.equal((await stored()).length, 2);
  });

  const huge = Buffer.from(PNG);
  huge.writeUInt32BE(60_000, 16);
  const refused: Readonly<Record<string, [string | Buffer, RegExp]>> = {
    'a page': ['<!doctype html><script>1</script>', /not a PNG/],
    'a page that an SVG is in': [`<html>${RED}</html>`, /not a PNG/],
    'a GIF': ['GIF89a............', /not a PNG/],
    'a PNG behind something else': [Buffer.concat([Buffer.from('x'), PNG]), /not a PNG/],
    'an SVG with entities': [`<!DOCTYPE svg [<!ENTITY a "b">]>${RED}`, /document type/],
    'an image of 60,000 pixels': [huge, /4096 pixels/],
  };
  for (const [what, [file, reason]] of Object.entries(refused)) {
    test(`An upload of ${what} as a logo is refused`, async () => {
      const { status, text } = await put(file);
      assert.equal(status, 400);
      assert.match(text, reason);
      assert.deepEqual(await stored(), []);
    });
  }

  test('An uploaded logo is accepted in one form of base64 only', async () => {
    const good = base64(RED);
    for (const image of [
      '',
      '====',
      `${good}\n`,
      good.replace(/=+$/, ''),
      'data:;base64,AAAA',
      7,
    ]) {
      const { status } = await send('PUT', '/logos/logo', { image });
      assert.equal(status, 400, String(image).slice(0, 20));
    }
  });
});

describe('a hostile file, opened by itself in Chromium', { skip: !browser }, () => {
  /** @param at the address of another server */
  const hostile: Readonly<Record<string, (at: string) => string | Buffer>> = {
    'an SVG with scripts': () =>
      `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='run'"><script>document.title='run'</script><a href="javascript:document.title='run'"><text y="20">x</text></a></svg>`,
    'an SVG with a page in it': (at) =>
      `<svg xmlns="http://www.w3.org/2000/svg"><body xmlns="http://www.w3.org/1999/xhtml"><img src="${at}/image" onerror="document.title='run'"/><iframe src="${at}/frame"/><form action="${at}/form"/><script>document.title='run'</script></body></svg>`,
    'an SVG that loads from elsewhere': (at) =>
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><style>@import "${at}/style.css"; svg { background: url(${at}/background.png) }</style><image href="${at}/image.png"/><use xlink:href="${at}/use.svg#a"/></svg>`,
    'a PNG that is a page as well': () =>
      Buffer.concat([PNG, Buffer.from('<html><script>document.title="run"</script></html>')]),
  };
  for (const [what, write] of Object.entries(hostile)) {
    test(`A hostile logo opened by itself in Chromium runs no script and sends no request: ${what}`, async () => {
      requestedPaths = [];
      const file = write(`http://127.0.0.1:${stranger.port}`);
      expectStatus(200, await put(file));
      const context = await (browser as NonNullable<typeof browser>).newContext();
      const page = await context.newPage();
      const home = keywright.nodes[0]?.baseUrl ?? '';
      // By the time the page is loaded, its images, styles and scripts have been requested.
      const answer = await page.goto(`${home}/t/${tenant.id}/brand/${sha256(file)}`);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      assert.equal(policy, "default-src 'none'; frame-ancestors 'none'; sandbox");
      assert.notEqual(await page.title(), 'run');
      assert.deepEqual(requestedPaths, []);
      await context.close();
    });
  }
});
