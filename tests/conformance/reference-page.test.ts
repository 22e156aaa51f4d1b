import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';
import { ROUTES } from '@keywright/contract/routes';
import type { Browser, Page } from 'playwright-core';
import { startKeywright } from '../harness/keywright.ts';
import { launchBrowser } from './browser.ts';
import { Traffic } from '../console/traffic.ts';

/** Violations of the content security policy, collected by the page itself. */
const COLLECT_VIOLATIONS = `
  globalThis.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.blockedURI));
`;

/** What is visible of the routes. In one call for all: looking for each by its role takes minutes on so large a page. */
const LISTED = `(() => {
  const listed = (selector, keyOf) => {
    const texts = {};
    for (const one of document.querySelectorAll(selector)) {
      if (one.checkVisibility({ visibilityProperty: true })) (texts[keyOf(one)] ??= []).push(one.innerText);
    }
    return texts;
  };
  return {
    calls: listed('[id] .call', (call) => call.closest('[id]').id),
    links: listed('nav a', (link) => link.getAttribute('href')),
  };
})()`;

/** The first column of each table of an event, by the address of the event. */
const EVENT_FIELDS = `Object.fromEntries(
  [...document.querySelectorAll('[id^=event-]')].map((one) => [
    '#' + one.id,
    [...one.querySelectorAll('tbody td:first-child')].map((cell) => cell.innerText),
  ]),
)`;

/** Texts by the id of the route, and by the address of the link. */
interface Listed {
  readonly calls: Readonly<Record<string, string[]>>;
  readonly links: Readonly<Record<string, string[]>>;
}

/** The browser's requests and messages while it shows the page. */
interface OpenedPage {
  readonly page: Page;
  readonly requests: string[];
  readonly complaints: string[];
}

interface DocumentWidths {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

const keywright = await startKeywright();
const browser = await launchBrowser();

after(async () => {
  await browser?.close();
  await keywright.close();
});

describe('the reference page, as it is served', () => {
  test('The reference page loads nothing, and forbids loading', async (t) => {
    if (!browser)
      t.diagnostic('There is no Chromium here: the page was not looked at in a browser.');
    const { headers, text } = await keywright.request('GET', '/reference');
    assert.match(String(headers['content-security-policy']), /^default-src 'none';/);
    assert.doesNotMatch(text, /<script|<iframe|<object|\bsrc=|@import|url\(/i);
    const links = [...text.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
    const inner = [...ROUTES.map(({ id }) => `#${id}`), ...EVENT_TYPES.map(anchorOf)];
    assert.deepEqual(
      links.filter((href) => !inner.includes(String(href))),
      ['data:,', '/openapi.json'],
    );
    for (const { id, path } of ROUTES) assert.ok(text.includes(path), id);
  });
});

describe('the reference page and the OpenAPI document are compressed as the client accepts it', () => {
  /** Not by fetch, which decompresses. */
  async function read(path: string, headers: Record<string, string>) {
    const [answer] = (await once(get(keywright.url + path, { headers }), 'response')) as [
      IncomingMessage,
    ];
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  }

  for (const path of ['/reference', '/openapi.json']) {
    test(`${path} has its own ETag in each coding, and is a tenth as large`, async () => {
      const plain = await read(path, {});
      const tags = new Set([plain.headers.etag]);
      for (const [accepts, coding, decode] of [
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
        ['*;q=0', undefined, (bytes: Buffer) => bytes],
      ] as const) {
        const { status, headers, bytes } = await read(path, { 'accept-encoding': accepts });
        assert.deepEqual([status, headers['content-encoding']], [200, coding], accepts);
        assert.deepEqual(decode(bytes), plain.bytes);
        assert.equal(headers.vary, 'Accept-Encoding');
        assert.equal(headers['cache-control'], 'public, max-age=300');
        assert.equal(headers['content-type'], plain.headers['content-type']);
        if (coding) assert.ok(bytes.length < plain.bytes.length / 10, `${bytes.length}`);
        const conditionalHeaders = {
          'accept-encoding': accepts,
          'if-none-match': String(headers.etag),
        };
        const again = await read(path, conditionalHeaders);
        assert.deepEqual([again.status, again.bytes.length], [304, 0]);
        assert.equal(again.headers.etag, headers.etag);
        const other = await read(path, {
          ...conditionalHeaders,
          'accept-encoding': coding ? '' : 'br',
        });
        assert.equal(other.status, 200);
        tags.add(headers.etag);
      }
      assert.equal(tags.size, 3);
    });
  }
});

const anchorOf = (type: string) => `#event-${type}`;

async function openPage(at: Browser, width: number): Promise<OpenedPage> {
  const page = await at.newPage({ viewport: { width, height: 800 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(COLLECT_VIOLATIONS);
  const traffic = Traffic.of(page);
  await page.goto(`${keywright.url}/reference`);
  await traffic.settle();
  complaints.push(...(await page.evaluate<string[]>('violations')));
  return { page, requests, complaints };
}

for (const width of browser ? [360, 1280] : []) {
  describe(`the reference page, ${width} pixels wide`, () => {
    let seen: OpenedPage;

    before(async () => {
      seen = await openPage(browser as Browser, width);
    });

    after(() => seen.page.close());

    test('The reference page requests only itself, and violates none of its own policies', () => {
      // The page's icon is an embedded data: URL.
      const loaded = seen.requests.filter((url) => !url.startsWith('data:'));
      assert.deepEqual(loaded, [`${keywright.url}/reference`]);
      assert.deepEqual(seen.complaints, []);
    });

    test('The reference page shows every route, with a link to each', async () => {
      const { calls, links } = await seen.page.evaluate<Listed>(LISTED);
      for (const { id, method, path, summary } of ROUTES) {
        assert.deepEqual(calls[id], [`${method} ${path}`]);
        assert.deepEqual(links[`#${id}`], [summary]);
      }
    });

    test('The reference page shows every event type with the fields of its data, and a link to each', async () => {
      const tables = await seen.page.evaluate<Record<string, string[]>>(EVENT_FIELDS);
      const { links } = await seen.page.evaluate<Listed>(LISTED);
      for (const type of EVENT_TYPES) {
        const fields = Object.keys(EVENTS[type].data.properties);
        const shown = (tables[anchorOf(type)] ?? []).filter((name) => !name.includes('[]'));
        assert.deepEqual(shown, fields, type);
        assert.deepEqual(links[anchorOf(type)], [type]);
      }
    });

    test('The reference page fits the window without horizontal scrolling', async () => {
      const { scrollWidth, clientWidth } = await seen.page.evaluate<DocumentWidths>(
        '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
      );
      assert.equal(scrollWidth, clientWidth);
    });
  });
}
