// Every page with texts of attackers, as Chromium reads it: they bring no element, attribute, script or address.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CATALOGS } from '@keywright/server/platform/texts/load';
import { launchBrowser } from '../conformance/browser.ts';
import { seededRandom } from '../harness/random.ts';
import type { Gallery, Shown, World } from './world.ts';
import { openScene, type Scene } from './showing.ts';
import { hostile, PLAIN, type Texts } from './texts.ts';

const PAYLOADS = [
  `"><img src=x onerror=alert(1)>`,
  `</title></style></script><script>alert(1)</script>`,
  `' onfocus=alert(1) autofocus x='`,
  `javascript:alert(1)//--><svg/onload=alert(1)>`,
  '`${7*7}{{constructor}}<!--<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
];
/** Payloads that are usable as texts; they break out of attributes that are not escaped. */
const QUIET = [
  `" onfocus=alert(1) autofocus x="`,
  `' x='`,
  'javascript:alert(1)//',
  '&lt;b&gt;&#x3c;',
];
const MARK = 'WORDED';
/** Views whose own texts no tenant can change. */
const PROTECTING =
  /^(?:consent|confirmation|stopped|startAgain|invitation|endedInvitation|undo|leave)/;
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

/** Returns a page's elements with their attributes, the contents of its styles and scripts, and its link targets. */
const SKELETON = `(html) => {
  const leads = ['href', 'src', 'action', 'formaction', 'content'];
  const own = /^(continue|confirm|invitation|account|mailto:|https:\\/\\/acme\\.example\\.com\\/|\\/t\\/|https:\\/\\/app\\.example\\.com\\/|https:\\/\\/id\\.example\\.com\\/|data:,|data:(?:application\\/json|text\\/plain);base64,[\\w+\\/=]*$|otpauth:|http:\\/\\/127\\.0\\.0\\.1:)/;
  const nodes = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('*')];
  return nodes.map((node) => {
    const names = node.getAttributeNames().toSorted();
    const strange = leads.filter((name) => node.hasAttribute(name) && node.localName !== 'meta' && !own.test(node.getAttribute(name)));
    // Each world has its own tenant, whose fonts have its ID in their addresses.
    const text = ['style', 'script'].includes(node.localName)
      ? node.textContent.replaceAll(/url\\("\\/t\\/org_world-[0-9]+\\/assets\\//g, 'url("/t/org_world/assets/')
      : '';
    return [node.localName, ...names, ...strange.map((name) => 'leads ' + node.getAttribute(name)), text].join(' ');
  });
}`;

const ENGLISH = await CATALOGS.en();
const browser = await launchBrowser();

describe('every page in Chromium', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let scene: Scene;
  let plain: Gallery;
  let reader: Page;
  let worlds = 0;

  before(async () => {
    scene = await openScene();
    plain = await walk(PLAIN);
    reader = await (browser as Browser).newPage();
  });
  after(async () => {
    await browser?.close();
    await scene.close();
  });

  function walk(texts: Texts, furnish?: World['furnish']): Promise<Gallery> {
    worlds += 1;
    return scene.walk(texts, `world-${worlds}`, 'en', furnish);
  }

  const skeletonOf = ({ seen }: Shown): Promise<unknown> =>
    reader.evaluate(`(${SKELETON})(${JSON.stringify(seen.text)})`);

  async function assertHarmless(texts: Texts, furnish?: World['furnish']): Promise<Gallery> {
    const walked = await walk(texts, furnish);
    assert.deepEqual([...walked.keys()], [...plain.keys()]);
    for (const [name, shown] of walked) {
      const expected = await skeletonOf(plain.get(name) as Shown);
      assert.deepEqual(await skeletonOf(shown), expected, `${name}: ${JSON.stringify(texts)}`);
    }
    return walked;
  }

  /** Stores texts without validation: each with its placeholders and tags after a payload, quoted as in ICU. */
  const worded =
    (payloads: readonly string[]): World['furnish'] =>
    async ({ id }) => {
      const rows = Object.entries(ENGLISH).map(([key, text], index) => {
        const payload = payloads[index % payloads.length] ?? '';
        const quoted = payload.replaceAll("'", "''").replaceAll(/[<>{}]+/g, "'$&'");
        return { key, text: `${MARK} ${quoted} ${text}`.slice(0, 1000) };
      });
      await scene.keywright.database.query(
        `INSERT INTO tenant_texts (tenant_id, locale, key, text, updated_at)
         SELECT $1, 'en', r.key, r.text, now() FROM jsonb_to_recordset($2::jsonb) AS r(key text, text text)`,
        [id, JSON.stringify(rows)],
      );
    };

  test('No text adds an element, attribute, script or address to any page in Chromium', async () => {
    await assertHarmless(hostile(PAYLOADS));
    await assertHarmless(hostile([...PAYLOADS.slice(2), ...PAYLOADS.slice(0, 2)]));
    const random = seededRandom();
    const pieces = () => Array.from({ length: 12 }, () => PIECES[random.between(0, PIECES.length)]);
    await assertHarmless(hostile(PAYLOADS.map(() => pieces().join(''))));
  });

  test('No text of a tenant adds an element, attribute, script or address, and pages that protect users keep their own words', async () => {
    const random = seededRandom();
    const pieces = () => Array.from({ length: 8 }, () => PIECES[random.between(0, PIECES.length)]);
    // Every second payload is usable in any text.
    const fuzzed = Array.from({ length: 40 }, (_, index) => [
      pieces().join(''),
      QUIET[index % QUIET.length] ?? '',
    ]).flat();
    const walked = await assertHarmless(PLAIN, worded([...QUIET, ...PAYLOADS, ...fuzzed]));
    const marked = [...walked].filter(([, { seen }]) => seen.text.includes(MARK));
    const wordable = [...walked.keys()].filter((name) => !PROTECTING.test(name));
    assert.ok(marked.length > wordable.length / 2, 'usable ones are shown');
    for (const [name, { seen }] of walked) {
      if (!/^(?:consent|leave|link|undo)/.test(name)) continue;
      const [, heading = ''] = /<h1>([^]*?)<\/h1>/.exec(seen.text) ?? [];
      assert.ok(!heading.includes(MARK), name);
    }
  });
});
