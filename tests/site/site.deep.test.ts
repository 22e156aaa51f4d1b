import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { sitePages } from '../../site/src/docs/records.ts';
import { markdownFileOf } from '../../site/src/docs/pages.ts';
import { serveSite } from '../../tools/docs/serve.ts';
import { launchBrowser } from '../conformance/browser.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { AXE_RUN, AXE_SOURCE } from '../pages/axe-run.ts';
import { QUERIES } from './queries.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LARGEST_BYTES = 100_000;
/** The part of the font with the letters of English. */
const FONT = '_assets/geist-latin-wght-normal.*.woff2';
/** One page of each kind. */
const SAMPLE = [
  '',
  'adr',
  'adr/0001-one-contract',
  'comparison',
  'concepts/tenants',
  'conformance',
  'errors/invalid_credentials',
  'frameworks/express',
  'guide/libraries',
  'guide/tenants',
  'migrate/auth0',
  'reference/environment',
  'reference/routes',
  'reference/routes/oauth',
  'reference/sdk/types',
  'troubleshooting',
  'tutorials/first-customer',
  'not-a-page',
];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const LOOKS: readonly BrowserContextOptions[] = [DESKTOP, PHONE].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

const browser = await launchBrowser();
const skip = browser === undefined && 'no Chromium';
let dist: string;
let url: string;
let close: () => Promise<void>;

before(async () => {
  dist = await temporaryDirectory('site');
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    NODE_TEST_CONTEXT: undefined,
  };
  await run(process.execPath, [join(ROOT, 'tools/docs.ts'), '--build', '--out', dist], { env });
  ({ url, close } = await serveSite(dist, 0));
});

after(async () => {
  await browser?.close();
  await close();
});

async function visit(
  path: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await (browser as Browser).newContext(options);
  const page = await context.newPage();
  await page.goto(url + path);
  await look(page);
  await context.close();
}

/** The links of the first results of a search, without the base. */
async function search(page: Page, query: string): Promise<string[]> {
  await page.fill('site-search input', query);
  await page.waitForSelector(`site-search[data-term="${query}"]`);
  const links = page.locator('.search-page');
  const hrefs = await links.evaluateAll((all) =>
    all.map((link) => link.getAttribute('href') ?? ''),
  );
  return hrefs.map((href) => href.replace('/docs/', ''));
}

/** The bytes that a first visit to a page transfers, compressed, without pictures. */
function transferredBytes(html: string): number {
  const files = [
    ...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="\/docs\/([^"]+\.(?:js|css))"/g),
  ];
  const [font = ''] = globSync(FONT, { cwd: dist });
  const texts = new Set(files.map(([, file = '']) => file));
  const compressed = [...texts].map((file) => gzipSync(readFileSync(join(dist, file))).length);
  const fixed = gzipSync(html).length + readFileSync(join(dist, font)).length;
  return compressed.reduce((sum, bytes) => sum + bytes, fixed);
}

describe('the documentation site', () => {
  test('Every page has at most 100 KB, and a first visit transfers less than that', () => {
    const pages = globSync('**/*.html', { cwd: dist });
    assert.ok(pages.length > 150, `${pages.length} pages`);
    const large = pages.flatMap((file) => {
      const html = readFileSync(join(dist, file), 'utf8');
      const sizes = [Buffer.byteLength(html), transferredBytes(html)];
      return sizes.some((bytes) => bytes > LARGEST_BYTES) ? [`${file} ${sizes.join(' ')}`] : [];
    });
    assert.deepEqual(large, []);
  });

  test('Every page is Markdown as well, and llms.txt lists those of the sidebar', async () => {
    const index = readFileSync(join(dist, 'llms.txt'), 'utf8');
    for (const [, link = ''] of index.matchAll(/\]\(([^)]+)\)/g)) {
      const response = await fetch(new URL(link, url));
      assert.equal(response.status, 200, link);
      assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
    }
    for (const { id, title } of sitePages()) {
      const markdown = readFileSync(join(dist, markdownFileOf(id)), 'utf8');
      assert.ok(markdown.startsWith(`# ${title}\n`), id);
    }
    assert.match(readFileSync(join(dist, 'llms-full.txt'), 'utf8'), /^# Keywright\n/);
  });

  test(
    'Pages have no inline scripts or styles, and no error under a strict policy',
    { skip },
    async () => {
      for (const path of SAMPLE) {
        const html = await (await fetch(url + path)).text();
        assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|<[a-z][^<>]* style="/, path);
        const errors: string[] = [];
        await visit('', {}, async (page) => {
          page.on('pageerror', (error) => errors.push(error.message));
          page.on('console', (message) => {
            if (message.type() === 'error') errors.push(message.text());
          });
          await page.goto(url + path);
          await page.keyboard.press('Control+k');
          assert.notDeepEqual(await search(page, 'passkey'), []);
        });
        const expected = path === 'not-a-page' ? ['404'] : [];
        assert.deepEqual(
          errors.map((text) => /\b404\b/.exec(text)?.[0] ?? text),
          expected,
          path,
        );
      }
    },
  );

  test(
    'Pages of each kind have no violation that axe finds, on phones and desktops, light and dark',
    { skip },
    async () => {
      const found: string[] = [];
      for (const look of LOOKS) {
        for (const path of SAMPLE) {
          await visit(path, { ...look, bypassCSP: true }, async (page) => {
            await page.addScriptTag({ content: AXE_SOURCE });
            const violations = await page.evaluate<string[]>(AXE_RUN);
            found.push(
              ...violations.map((violation) => `${path} ${JSON.stringify(look)} ${violation}`),
            );
          });
        }
        await visit('', { ...look, bypassCSP: true }, async (page) => {
          await page.keyboard.press('Control+k');
          await search(page, 'passkey');
          await page.addScriptTag({ content: AXE_SOURCE });
          const violations = await page.evaluate<string[]>(AXE_RUN);
          found.push(
            ...violations.map((violation) => `search ${JSON.stringify(look)} ${violation}`),
          );
        });
      }
      assert.deepEqual(found, []);
    },
  );

  test('Pages are not wider than a phone', { skip }, async () => {
    for (const path of SAMPLE) {
      await visit(path, { viewport: PHONE }, async (page) => {
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(width <= PHONE.width, `${path || 'index'} is ${width} pixels wide`);
      });
    }
  });

  test(
    'Pages are readable without scripts: links and menus work, and the system chooses the colors',
    { skip },
    async () => {
      const backgrounds = new Set<string>();
      for (const look of LOOKS) {
        await visit('guide/tenants', { ...look, javaScriptEnabled: false }, async (page) => {
          await page.getByRole('heading', { name: 'Create a tenant' }).waitFor();
          const color = 'getComputedStyle(document.body).backgroundColor';
          backgrounds.add(await page.evaluate<string>(color));
          if (look.viewport === PHONE) await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('navigation', { name: 'Main' }).getByText('Configure login').click();
          await page
            .getByRole('navigation', { name: 'Main' })
            .getByRole('link', { name: 'Passkeys' })
            .click();
          await page.getByRole('heading', { level: 1, name: 'Passkeys' }).waitFor();
          await page.getByRole('link', { name: 'Copy page' }).click();
          assert.equal(page.url(), `${url}guide/passkeys.md`);
        });
      }
      assert.equal(backgrounds.size, 2, 'one for light and one for dark');
    },
  );

  test('Buttons copy code and the Markdown of the page', { skip }, async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await visit('guide/tenants', { permissions }, async (page) => {
      const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Copy code' }).first().click();
      await page.getByText('Copied').first().waitFor();
      assert.match(await copied(), /^KEYWRIGHT=http/);
      await page.getByRole('link', { name: 'Copy page' }).click();
      await page.getByRole('link', { name: 'Copied' }).waitFor();
      assert.equal(await copied(), readFileSync(join(dist, 'guide/tenants.md'), 'utf8'));
    });
  });

  test(
    'The search finds the right page among the first three results for what a newcomer types',
    { skip },
    async () => {
      const missed: string[] = [];
      await visit('', {}, async (page) => {
        await page.keyboard.press('Control+k');
        for (const [query, expected] of QUERIES) {
          const results = await search(page, query);
          if (!results.slice(0, 3).includes(expected)) {
            missed.push(`${query}: ${expected} is not among ${results.slice(0, 5).join(' ')}`);
          }
        }
      });
      assert.deepEqual(missed, []);
    },
  );
});
