import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';
import { impliedErrors } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import type { BrowserContext, Page } from 'playwright-core';
import { sections } from '../../ui/reference/src/groups.ts';
import { startKeywright } from '../harness/keywright.ts';
import { AXE_RUN, AXE_SOURCE } from '../pages/axe-run.ts';
import { launchBrowser } from './browser.ts';
import { Traffic } from '../console/traffic.ts';

const KB = 1024;
/** Of the compressed pages. */
const MOST_PAGE = 20 * KB;
const MOST_PAGES = 190 * KB;
const EVENT_TYPES_PATH = '/reference/event-types';
const SEARCH_PATH = '/reference/search.json';
const PATHS = ['/reference', EVENT_TYPES_PATH, ...sections().map(({ url }) => url)];

const keywright = await startKeywright();
const browser = await launchBrowser();

after(async () => {
  await browser?.close();
  await keywright.close();
});

/** Not by fetch, which decompresses. */
async function read(path: string, headers: Record<string, string>) {
  const [answer] = (await once(get(keywright.url + path, { headers }), 'response')) as [
    IncomingMessage,
  ];
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

async function textOf(path: string): Promise<string> {
  return (await read(path, {})).bytes.toString();
}

describe('the pages of the reference', () => {
  test('The start page links to every operation, and each link leads to the operation', async () => {
    const index = await textOf('/reference');
    const links = new Map(
      [...index.matchAll(/href="(\/reference\/[a-z-]+)#([^"]+)"/g)].map(([, path, id]) => [
        id,
        path,
      ]),
    );
    const pages = new Map<string, string>();
    for (const path of PATHS) pages.set(path, await textOf(path));
    for (const { id, path } of ROUTES) {
      const page = pages.get(links.get(id.replace(/_by_issuer$/, '')) ?? links.get(id) ?? '') ?? '';
      assert.ok(page.includes(` id="${id}"`), id);
      assert.ok(page.includes(`<code>${path}</code>`), id);
    }
  });

  test('A page has every error of its operations, or leads to the errors of every operation', async () => {
    for (const { url, groups } of sections()) {
      const page = await textOf(url);
      const codes = new Set(
        groups.flatMap(({ operations }) => operations.flatMap(({ route }) => route.errors)),
      );
      for (const code of codes) {
        assert.ok(page.includes(`href="/docs/errors/${code.toLowerCase()}"`), code);
      }
    }
    const index = await textOf('/reference');
    for (const code of new Set(ROUTES.flatMap(impliedErrors))) {
      assert.ok(index.includes(`href="/docs/errors/${code.toLowerCase()}"`), code);
    }
  });

  test('The page of event types has every type with the fields of its data', async () => {
    const page = await textOf(EVENT_TYPES_PATH);
    for (const type of EVENT_TYPES) {
      const [, section = ''] = page.split(`id="event-${type}"`);
      for (const name of Object.keys(EVENTS[type].data.properties)) {
        assert.ok(section.includes(`<dt><code>${name}</code>`), `${type} ${name}`);
      }
    }
  });

  test('A page has no code or style that a strict policy refuses', async () => {
    for (const path of PATHS) {
      const { headers, bytes } = await read(path, {});
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      assert.doesNotMatch(bytes.toString(), /<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/);
    }
  });

  test('Each page, and the index of the search, has at most 20 KB after compression', async () => {
    const sizes = new Map<string, number>();
    for (const path of [...PATHS, SEARCH_PATH]) {
      sizes.set(path, (await read(path, { 'accept-encoding': 'br' })).bytes.length);
    }
    for (const [path, bytes] of sizes) assert.ok(bytes <= MOST_PAGE, `${path} has ${bytes} bytes`);
    const all = PATHS.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
    assert.ok(all <= MOST_PAGES, `${all} bytes`);
  });

  for (const path of ['/reference/nothing', '/reference/..%2Fmanifest', '/reference/a.html']) {
    test(`A path that names no page is not found: ${path}`, async () => {
      assert.equal((await read(path, {})).status, 404);
    });
  }
});

describe('the reference and the OpenAPI document are compressed as the client accepts it', () => {
  for (const path of ['/reference', SEARCH_PATH, '/openapi.json']) {
    test(`The response of ${path} has its own ETag in each coding`, async () => {
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
        assert.equal(headers['content-type'], plain.headers['content-type']);
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

async function open(
  path: string,
  options: Parameters<NonNullable<typeof browser>['newContext']>[0],
) {
  const context = (await browser?.newContext(options)) as BrowserContext;
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const traffic = options?.javaScriptEnabled === false ? undefined : Traffic.of(page);
  await page.goto(keywright.url + path);
  await traffic?.settle();
  return { context, page, complaints };
}

function isWiderThanWindow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

describe('the reference in a browser', { skip: !browser && 'Chromium is not installed.' }, () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      test(`The pages fit ${width} pixels in the ${colorScheme} scheme, without messages or findings of axe`, async () => {
        for (const path of ['/reference', EVENT_TYPES_PATH, '/reference/access']) {
          const { context, page, complaints } = await open(path, {
            colorScheme,
            viewport: { width, height: 900 },
            bypassCSP: true,
          });
          assert.equal(await isWiderThanWindow(page), false, path);
          await page.evaluate(AXE_SOURCE);
          assert.deepEqual(await page.evaluate(AXE_RUN), [], path);
          assert.deepEqual(complaints, [], path);
          await context.close();
        }
      });
    }
  }

  test('The keyboard shortcut focuses the search, which leads to an operation', async () => {
    const { context, page, complaints } = await open('/reference', {});
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create user');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/reference/people#users.create');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('A language applies to all samples and remains selected on other pages', async () => {
    const { context, page } = await open('/reference/people', {});
    const visible = () => page.locator('.sample pre.python:visible').count();
    assert.equal(await visible(), 0);
    await page.locator('.sample label', { hasText: 'Python' }).first().click();
    const people = sections().find(({ url }) => url === '/reference/people');
    const count = people?.groups.flatMap(({ operations }) => operations).length;
    assert.equal(await visible(), count);
    await page.goto(`${keywright.url}/reference/access`);
    await page.locator('.sample pre.python:visible').first().waitFor();
    await context.close();
  });

  test('The tabs of a sample work without scripts, and the search is then hidden', async () => {
    const { context, page } = await open('/reference/people', { javaScriptEnabled: false });
    assert.equal(await page.getByRole('combobox').count(), 0);
    await page.locator('.sample label', { hasText: 'Go' }).first().click();
    assert.match(await page.locator('.sample pre:visible').first().innerText(), /^package main/);
    await context.close();
  });

  test('A copied sample names the service that shows it', async () => {
    const { context, page } = await open('/reference/people', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.ok(copied.startsWith(`curl '${new URL(page.url()).origin}/`), copied);
    await context.close();
  });
});
