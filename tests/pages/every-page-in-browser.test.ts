// Every page as Chromium reads and shows it: with texts of attackers, with long ones, in both colour schemes, and narrow.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { seededRandom } from '../harness/random.ts';
import { type FakeProvider, startFakeProvider } from '../harness/upstream.ts';
import { type Gallery, PLAIN, type Shown, type Texts, walkGallery } from './gallery.ts';

/** Longer than most, as some people have them. */
const LONG: Texts = {
  tenant:
    'Vereinigte Donaudampfschifffahrtsgesellschaften Regensburg und Wien, eingetragene Genossenschaft',
  client: 'Betriebsverwaltungsübersichtsanzeige für Aufsichtsratsmitglieder und deren Vertretungen',
  provider: 'Konzernidentitätsanbieterverbund der Holding in Luxemburg',
  typed: `${'a-very-long-name-without-a-break'.repeat(4)} at example`,
  state: 'x'.repeat(500),
  local: 'wolfeschlegelsteinhausen.hubert.blaine',
};

const PAYLOADS = [
  `"><img src=x onerror=alert(1)>`,
  `</title></style></script><script>alert(1)</script>`,
  `' onfocus=alert(1) autofocus x='`,
  `javascript:alert(1)//--><svg/onload=alert(1)>`,
  '`${7*7}{{constructor}}<!--<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
];
const PIECES = [
  '<',
  '>',
  '"',
  "'",
  '`',
  '&',
  '=',
  '/',
  '\\',
  '<!--',
  '-->',
  '</',
  '&#x3c;',
  '&lt;',
  'script',
  ' onload=',
  ' x',
  ';',
  '${',
  '}}',
  '<svg',
  '<a href=javascript:',
];

/** Each text brings another one. */
function hostile(payloads: readonly string[]): Texts {
  const [tenant = '', client = '', provider = '', typed = '', state = ''] = payloads.map((one) =>
    one.slice(0, 64),
  );
  // What an address may contain (RFC 5322 §3.2.3).
  return { tenant, client, provider, typed, state, local: "o'x&`=/onload=" };
}

/** Its elements with their attributes, what styles and scripts say, and where it leads. */
const SKELETON = `(html) => {
  const leads = ['href', 'src', 'action', 'formaction', 'content'];
  const own = /^(continue|confirm|\\/t\\/|https:\\/\\/app\\.example\\.com\\/|data:,|otpauth:|http:\\/\\/127\\.0\\.0\\.1:)/;
  const nodes = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('*')];
  return nodes.map((node) => {
    const names = node.getAttributeNames().toSorted();
    const strange = leads.filter((name) => node.hasAttribute(name) && node.localName !== 'meta' && !own.test(node.getAttribute(name)));
    const text = ['style', 'script'].includes(node.localName) ? node.textContent : '';
    return [node.localName, ...names, ...strange.map((name) => 'leads ' + node.getAttribute(name)), text].join(' ');
  });
}`;

const browser = await launchBrowser();

describe('every page in Chromium', { skip: browser ? false : 'There is no Chromium here.' }, () => {
  let sink: MailSink;
  let provider: FakeProvider;
  let keywright: Keywright;
  let plain: Gallery;
  let reader: Page;
  let worlds = 0;

  before(async () => {
    sink = await startMailSink();
    provider = await startFakeProvider();
    const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
    keywright = await startKeywright({ env });
    plain = await walk(PLAIN);
    reader = await (browser as Browser).newPage();
  });
  after(async () => {
    await browser?.close();
    await keywright.close();
    await provider.close();
    await sink.close();
  });

  function walk(texts: Texts): Promise<Gallery> {
    worlds += 1;
    return walkGallery({ keywright, sink, provider, texts, slug: `world-${worlds}` });
  }

  const skeletonOf = ({ seen }: Shown): Promise<unknown> =>
    reader.evaluate(`(${SKELETON})(${JSON.stringify(seen.text)})`);

  async function assertHarmless(texts: Texts): Promise<void> {
    const walked = await walk(texts);
    assert.deepEqual([...walked.keys()], [...plain.keys()]);
    for (const [name, shown] of walked) {
      const expected = await skeletonOf(plain.get(name) as Shown);
      assert.deepEqual(await skeletonOf(shown), expected, `${name}: ${JSON.stringify(texts)}`);
    }
  }

  test('has no element, attribute, script or address that a text brought', async () => {
    await assertHarmless(hostile(PAYLOADS));
    await assertHarmless(hostile([...PAYLOADS.slice(2), ...PAYLOADS.slice(0, 2)]));
    const random = seededRandom();
    const pieces = () => Array.from({ length: 12 }, () => PIECES[random.between(0, PIECES.length)]);
    await assertHarmless(hostile(PAYLOADS.map(() => pieces().join(''))));
  });

  describe('with long names', () => {
    let long: Gallery;

    before(async () => {
      long = await walk(LONG);
    });

    /** Opens each page as it was sent, with its headers, and nothing else. */
    async function openEach(
      options: Parameters<Browser['newContext']>[0],
      look: (page: Page, name: string) => Promise<void>,
    ): Promise<void> {
      const context = await (browser as Browser).newContext({
        ...options,
        reducedMotion: 'reduce',
      });
      for (const [name, { seen }] of long) {
        if (seen.text === '') continue;
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        const address = `https://id.example.com${seen.address}`;
        await page.route('**', (route) => {
          const isOwn = route.request().url() === address;
          const headers = seen.headers as Record<string, string>;
          return isOwn ? route.fulfill({ headers, body: seen.text }) : route.abort();
        });
        await page.goto(address, { waitUntil: 'domcontentloaded' }).catch(() => undefined);
        await look(page, name);
        const blocked = complaints.filter((text) => /Content Security Policy|Trusted/.test(text));
        assert.deepEqual(blocked, [], name);
        await page.close();
      }
      await context.close();
    }

    for (const width of [320, 390, 1280]) {
      test(`fits ${width} pixels, with targets that a finger hits`, async () => {
        await openEach({ viewport: { width, height: 800 } }, async (page, name) => {
          // These leave by themselves.
          if (/^(goView|leaveView|formPostView)/.test(name)) return;
          const [overflow, small] = (await page.evaluate(LAYOUT)) as [number, string[]];
          assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`);
          assert.deepEqual(small, [], name);
        });
      });
    }
  });
});

/** By how much the page is too wide, and what is smaller than 24 pixels (WCAG 2.2 §2.5.8). */
const LAYOUT = `(() => {
  const root = document.documentElement;
  const targets = [...document.querySelectorAll('button, summary, input:not([type=hidden]):not([hidden])')];
  const small = targets.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24);
  return [root.scrollWidth - root.clientWidth, small.map((one) => one.outerHTML)];
})()`;
