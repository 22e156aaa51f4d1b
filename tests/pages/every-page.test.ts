// Rules for every page of the service, in the states of tests/pages/gallery.ts. New views must be added there.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ACCOUNT_SECTIONS } from '@keywright/contract/routes/account';
import * as hosted from '@keywright/server/modules/branding/views/index';
import type { Gallery, Shown } from './world.ts';
import { openScene, type Scene } from './showing.ts';
import { PLAIN } from './texts.ts';

let scene: Scene;
let gallery: Gallery;

before(async () => {
  scene = await openScene();
  gallery = await scene.walk(PLAIN, 'plain');
});
after(() => scene.close());

/** Views that the tests of the clock cover: pages that were left open. */
const SHOWN_ELSEWHERE = ['tooOldView'];

test('Every view is in the gallery', () => {
  const views = Object.keys(hosted).filter((name) => name.endsWith('View'));
  const shown = new Set([...gallery.keys()].map((name) => name.split(' ', 1)[0]));
  assert.deepEqual(
    views.filter((name) => !shown.has(name) && !SHOWN_ELSEWHERE.includes(name)),
    [],
    'add it to tests/pages/gallery.ts',
  );
});

test('Every section of the account page is in the gallery, both filled and empty', () => {
  const [empty, full] = ['', ' full'].map((state) =>
    ACCOUNT_SECTIONS.filter((section) => !gallery.has(`account ${section}${state}`)),
  );
  assert.deepEqual([empty, full], [[], []], 'add it to tests/pages/gallery-account.ts');
});

test('Every page has headers that limit what it can do and forbid framing and caching', () => {
  for (const [name, { seen }] of gallery) {
    const { headers, status } = seen;
    if (status === 303) continue;
    assert.equal(headers['content-encoding'], undefined, name);
    assert.equal(headers['cache-control'], 'no-store', name);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', name);
    assert.equal(headers['x-frame-options'], 'DENY', name);
    assert.equal(headers['x-content-type-options'], 'nosniff', name);
    assert.equal(headers['referrer-policy'], 'no-referrer', name);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', name);
    assert.match(
      String(headers['permissions-policy']),
      /publickey-credentials-get=\(self\)$/,
      name,
    );
    const policy = String(headers['content-security-policy']).split('; ');
    for (const always of [
      "default-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]) {
      assert.ok(policy.includes(always), `${name}: ${policy.join('; ')}`);
    }
    assert.doesNotMatch(policy.join(), /unsafe|\*/, name);
    const target = policy.find((directive) => directive.startsWith('form-action')) ?? '';
    const allowed = /^form-action ('self'|'none'|https:\/\/app\.example\.com)$/;
    assert.match(target, allowed, name);
    assert.equal(target.includes('https:'), /^formPostView$| form_post$/.test(name), name);
  }
});

test('Every form has its own token with a new mask', () => {
  const tokens = [...gallery.values()].flatMap(({ seen }) => seen.hidden['form_token'] ?? []);
  assert.ok(tokens.length > 20);
  assert.equal(new Set(tokens).size, tokens.length);
});

test('No page contains a secret of the login', () => {
  for (const [name, { seen, cookie }] of gallery) {
    assert.doesNotMatch(seen.text, /[lr]ft_|eyJ[\w-]+\.eyJ/, name);
    for (const pair of cookie.split('; ')) {
      // The chosen language, and the last login method.
      if (/^(__Host-)?kw[lm]_/.test(pair)) continue;
      const value = pair.slice(pair.indexOf('=') + 1);
      assert.ok(value === '' || !seen.text.includes(value), name);
    }
  }
});

describe('a form of a page, sent by another site or another browser,', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

  function send(
    { seen, tenant }: Shown,
    headers: Readonly<Record<string, string>>,
    change: Readonly<Record<string, string>> = {},
  ) {
    const fields = { ...seen.hidden, action: seen.actions[0] ?? '', ...change };
    return tenant.request<unknown>('POST', seen.postsTo, {
      host: 'id.example.com',
      headers: { ...headers },
      rawBody: new URLSearchParams(fields).toString(),
      contentType: FORM,
    });
  }

  async function state() {
    const count =
      'SELECT (SELECT count(*) FROM sessions) AS s, (SELECT count(*) FROM consents) AS c';
    return scene.keywright.database.query(count);
  }

  const forms = () => [...gallery].filter(([, { seen }]) => 'form_token' in seen.hidden);

  for (const [what, headers] of Object.entries({
    'without Origin': {},
    'with another Origin': { origin: 'https://evil.example' },
    'with the origin of a neighbor port': { origin: 'https://id.example.com:8443' },
    'from another site': { 'sec-fetch-site': 'cross-site' },
    'from a sibling domain': { 'sec-fetch-site': 'same-site', origin: 'https://id.example.com' },
    'from the address bar': { 'sec-fetch-site': 'none' },
  })) {
    test(`A form submission ${what} is refused`, async () => {
      const count = await state();
      for (const [name, shown] of forms()) {
        const { status, text } = await send(shown, { ...headers, cookie: shown.cookie });
        assert.deepEqual([status, text.includes('ORIGIN_REFUSED')], [403, true], name);
      }
      assert.deepEqual(await state(), count);
    });
  }

  test('A form submission is refused without its cookie, with two cookies, or with the cookie or token of another browser', async () => {
    const count = await state();
    const all = forms();
    for (const [index, [name, shown]] of all.entries()) {
      const [, other] = all[(index + 1) % all.length] as (typeof all)[number];
      const [, distant] = all.find(([, { cookie }]) => cookie !== shown.cookie) ?? [];
      const twice = `${shown.cookie}; ${other.cookie}; ${shown.cookie}`;
      const attempts: [string, Readonly<Record<string, string>>, Record<string, string>][] = [
        ['no cookie', SAME_ORIGIN, {}],
        ['two cookies', { ...SAME_ORIGIN, cookie: twice }, {}],
        ['another browser', { ...SAME_ORIGIN, cookie: distant?.cookie ?? '' }, {}],
        ['no token', { ...SAME_ORIGIN, cookie: shown.cookie }, { form_token: '' }],
        [
          'a token of another browser',
          { ...SAME_ORIGIN, cookie: shown.cookie },
          { form_token: distant?.seen.hidden['form_token'] ?? '' },
        ],
      ];
      for (const [what, headers, change] of attempts) {
        const { status, text } = await send(shown, headers, change);
        assert.deepEqual([status, text.includes('FORM_TOO_OLD')], [400, true], `${name}, ${what}`);
      }
    }
    assert.deepEqual(await state(), count);
  });

  test('A form submission with the request of another browser or tenant, or with a changed request, has no effect', async () => {
    const count = await state();
    // Invitation tokens, undo tokens and device codes are valid in any browser.
    const anywhere = ['invitationView', 'deviceView', 'undoView', 'undoPasskeyView'];
    const all = forms().filter(([name]) => !anywhere.includes(name.split(' ', 1)[0] ?? ''));
    for (const [name, shown] of all) {
      const [, distant] = all.find(([, { cookie }]) => cookie !== shown.cookie) ?? [];
      // A form is bound to a login in progress or to the session of the account page.
      const field = 'request' in shown.seen.hidden ? 'request' : 'session';
      const original = shown.seen.hidden[field] ?? '';
      const middle = Math.floor(original.length / 2);
      const flipped = original[middle] === 'A' ? 'B' : 'A';
      const changed = original.slice(0, middle) + flipped + original.slice(middle + 1);
      for (const value of [distant?.seen.hidden[field] ?? '', changed, original.slice(0, -4)]) {
        const headers = { ...SAME_ORIGIN, cookie: shown.cookie };
        const { status, text } = await send(shown, headers, { [field]: value });
        assert.deepEqual([status, text.includes('FORM_TOO_OLD')], [400, true], name);
      }
    }
    assert.deepEqual(await state(), count);
  });
});
