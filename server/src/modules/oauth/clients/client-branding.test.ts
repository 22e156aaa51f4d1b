// The branding of single applications, which replaces that of the tenant on the pages of their logins.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ClientBranding } from '@keywright/contract/records/branding';
import { newClient, requestOf } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { Visitor } from '@keywright/tests/harness/visitor';

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="red"/></svg>';
const BLUE = RED.replace('red', 'blue');
const digestOf = (image: string) => createHash('sha256').update(image).digest('hex');
const encoded = (image: string) => ({ image: Buffer.from(image).toString('base64') });

describe('the branding of an application', () => {
  let keywright: Keywright;
  let tenant: TestTenant;
  let token: string;
  let shop: string;
  let other: string;

  before(async () => {
    keywright = await startKeywright();
    tenant = await keywright.tenant('branded');
    token = await tenant.adminToken();
    shop = (await newClient(tenant, { name: 'Shop' })).id;
    other = (await newClient(tenant, { name: 'Other' })).id;
    const branding = { primary_color: '#112233', layout: 'split-start', company_name: 'Acme' };
    expectStatus(
      200,
      await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body: { branding } }),
    );
  });
  after(() => keywright.close());

  const send = (method: string, path: string, body?: object, at = tenant, by = token) =>
    at.request<ClientBranding & { code?: string }>(method, path, {
      token: by,
      ...(body && { body }),
    });
  const change = async (settings: object) =>
    expectStatus(200, await send('PATCH', `/clients/${shop}/branding`, { settings }));
  const imageAt = async (image: string, of = tenant) =>
    (await keywright.request('GET', `/t/${of.id}/brand/${digestOf(image)}`)).status;

  async function pageOf(client: string): Promise<string> {
    const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
    return (await browser.authorize(requestOf({ id: client }))).text;
  }

  test('The login page of an application has its own settings, and those of the tenant for the others', async () => {
    const path = `/clients/${shop}/branding`;
    const empty = { tenant_id: tenant.id, client_id: shop, settings: {}, images: {} };
    assert.deepEqual(expectStatus(200, await send('GET', path)), empty);
    assert.match(await pageOf(shop), /#112233/);
    const settings = { primary_color: '#aa0055', headline: 'Robots <b>for</b> all' };
    assert.deepEqual((await change(settings)).settings, settings);
    const page = await pageOf(shop);
    assert.match(page, /class="page split split-start rings"/);
    assert.match(page, /#aa0055/);
    assert.match(page, /<h2><bdi>Robots &lt;b&gt;for&lt;\/b&gt; all<\/bdi><\/h2>/);
    assert.doesNotMatch(page, /#112233/);
    assert.match(await pageOf(other), /#112233.*<h2>Welcome to <bdi>Acme<\/bdi><\/h2>/s);
    await change({ layout: 'card' });
    assert.match(await pageOf(shop), /class="page card"/);
    const rest = { headline: settings.headline, layout: 'card' };
    assert.deepEqual((await change({ primary_color: null })).settings, rest);
    assert.match(await pageOf(shop), /#112233/);
  });

  test('An image of an application replaces that of the tenant, until it is deleted', async () => {
    expectStatus(200, await send('PUT', '/logos/logo', encoded(RED)));
    assert.match(await pageOf(shop), new RegExp(digestOf(RED)));
    const path = `/clients/${shop}/branding/images/logo`;
    const { images } = expectStatus(200, await send('PUT', path, encoded(BLUE)));
    assert.deepEqual(images, { logo: digestOf(BLUE) });
    assert.match(await pageOf(shop), new RegExp(digestOf(BLUE)));
    assert.match(await pageOf(other), new RegExp(digestOf(RED)));
    assert.equal(await imageAt(BLUE), 200);
    assert.deepEqual(expectStatus(200, await send('DELETE', path)).images, {});
    assert.match(await pageOf(shop), new RegExp(digestOf(RED)));
    assert.equal(await imageAt(BLUE), 404);
    assert.equal((await send('DELETE', path)).status, 404);
  });

  test('A file that is not an image and a headline that names an address are rejected', async () => {
    const wrong = await send('PUT', `/clients/${shop}/branding/images/icon`, encoded('<html>'));
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'VALIDATION_FAILED']);
    for (const headline of ['Visit evil.example', 'a@evil.example', 'x\ny', '']) {
      const answer = await send('PATCH', `/clients/${shop}/branding`, { settings: { headline } });
      assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], headline);
    }
  });

  test('Another tenant can neither read nor change the branding of an application, nor show its images', async () => {
    const foreign = await keywright.tenant('foreign');
    const by = await foreign.adminToken();
    const path = `/clients/${shop}/branding/images/background`;
    expectStatus(200, await send('PUT', path, encoded(BLUE)));
    for (const [method, at, body] of [
      ['GET', `/clients/${shop}/branding`],
      ['PATCH', `/clients/${shop}/branding`, { settings: { corner: 0 } }],
      ['PUT', path, encoded(RED)],
      ['DELETE', path],
    ] as const) {
      assert.equal((await send(method, at, body, foreign, by)).status, 404, `${method} ${at}`);
    }
    assert.equal(await imageAt(BLUE), 200);
    assert.equal(await imageAt(BLUE, foreign), 404);
    await change({ headline: 'Secret robots' });
    const preview = await foreign.request<{ url: string }>('POST', '/branding/preview', {
      token: by,
      body: { client_id: shop, branding: { layout: 'split-start' } },
    });
    const { pathname, search } = new URL(expectStatus(200, preview).url);
    const shown = await keywright.request('GET', `${pathname}${search}`, { tenant: [] });
    assert.match(shown.text, /<h2>Welcome to/);
    assert.doesNotMatch(shown.text, /Secret robots/);
  });

  test('The images of an application are deleted with it', async () => {
    const { id } = await newClient(tenant, { name: 'Short' });
    const image = RED.replace('red', 'lime');
    expectStatus(200, await send('PUT', `/clients/${id}/branding/images/icon`, encoded(image)));
    assert.equal(await imageAt(image), 200);
    expectStatus(200, await send('DELETE', `/clients/${id}`));
    assert.equal(await imageAt(image), 404);
    assert.equal((await send('GET', `/clients/${id}/branding`)).status, 404);
  });

  test('The audit log has the new values of changed settings and images, and none of those that remain the same', async () => {
    await change({ corner: 3, font: 'lora' });
    await change({ corner: 3 });
    await change({ corner: 3, headline: 'Call 555 0100' });
    await change({ corner: 3, font: null });
    const path = `/clients/${shop}/branding/images/icon`;
    expectStatus(200, await send('PUT', path, encoded(RED)));
    const answer = await tenant.request<{ items: { details: object }[] }>(
      'GET',
      '/audit?action=client.updated&limit=3',
      { token },
    );
    const { items } = expectStatus(200, answer);
    assert.deepEqual(
      items.map(({ details }) => details),
      [
        { name: 'branding.icon', after: digestOf(RED) },
        { name: 'branding.font', after: null },
        { name: 'branding.headline', after: 'Call 555 0100' },
      ].map((changed) => ({ fields: [changed.name], changes: [changed] })),
    );
  });

  test('A preview of an application has its unsaved branding, whose colors are checked', async () => {
    const body = {
      client_id: shop,
      client_branding: { layout: 'plain', primary_color: '#ffe14d' },
    };
    const { url, contrast } = expectStatus(
      200,
      await tenant.request<{ url: string; contrast: { ratio: number; required: number }[] }>(
        'POST',
        '/branding/preview',
        { token, body },
      ),
    );
    assert.ok(contrast.every(({ ratio, required }) => ratio >= required));
    const { pathname, search } = new URL(url);
    const { text } = await keywright.request('GET', `${pathname}${search}`, { tenant: [] });
    assert.match(text, /class="page plain"/);
    assert.match(text, /#ffe14d/);
    assert.doesNotMatch(await pageOf(shop), /#ffe14d/);
  });
});
