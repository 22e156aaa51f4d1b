import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  cookieName,
  isFormToken,
  isSameOrigin,
  issueFormToken,
  readCookie,
  setCookie,
} from './cookies.ts';
import { contentSecurityPolicy, html, script, style } from './html.ts';
import { SeeOther } from '../replies.ts';

const HTTPS = { id: 'org_acme', issuer: 'https://id.example.com/t/org_acme' };

describe('a cookie', () => {
  test('A cookie is named after its tenant: ten characters of base32 of the SHA-256 of the id', () => {
    assert.equal(cookieName('session', HTTPS), '__Host-kw_wg64ves3xa');
    assert.notEqual(
      cookieName('session', { ...HTTPS, id: 'org_other' }),
      cookieName('session', HTTPS),
    );
  });

  test('A cookie has no prefix and no Secure attribute on a loopback http origin, and only there', () => {
    for (const host of ['localhost:8080', 'a.localhost', '127.0.0.1', '[::1]:1']) {
      const line = setCookie({ name: 'flow', value: 'x' }, { ...HTTPS, issuer: `http://${host}` });
      assert.match(line, /^kwp_[a-z2-7]{10}=x; Path=\/; HttpOnly; SameSite=Lax$/, host);
    }
    for (const issuer of [
      'http://id.example.com',
      'https://localhost',
      'http://127.0.0.1.example.com',
    ]) {
      assert.match(
        setCookie({ name: 'flow', value: 'x' }, { ...HTTPS, issuer }),
        /^__Host-.*; Secure;/,
      );
    }
  });

  test('A cookie is read only if it occurs once, with allowed characters', () => {
    assert.equal(readCookie('a=1; b=2', 'b'), '2');
    for (const header of [
      undefined,
      '',
      'bb=2',
      'b=2; b=3',
      'b=',
      'b="2"',
      `b=${'x'.repeat(513)}`,
    ]) {
      assert.equal(readCookie(header, 'b'), undefined, header ?? 'none');
    }
  });

  test('A cookie value with a delimiter is rejected', () => {
    assert.throws(() => setCookie({ name: 'session', value: 'x; Domain=example.com' }, HTTPS));
  });
});

describe('a form token', () => {
  test('A form token differs each time and is valid only for its cookie', () => {
    const [first, other] = [issueFormToken('cookie'), issueFormToken('cookie')];
    assert.notEqual(first, other);
    assert.ok(isFormToken('cookie', first) && isFormToken('cookie', other));
    assert.equal(isFormToken('another', first), false);
    const mixed = Buffer.concat([
      Buffer.from(first, 'base64url').subarray(0, 32),
      Buffer.from(other, 'base64url').subarray(32),
    ]);
    for (const wrong of [undefined, '', [first], `${first}=`, mixed.toString('base64url')]) {
      assert.equal(isFormToken('cookie', wrong), false);
    }
  });
});

test('A form is same-origin if the browser says so, or by its Origin if the browser says nothing', () => {
  const issuer = 'https://id.example.com/t/org_acme';
  assert.ok(isSameOrigin({ 'sec-fetch-site': 'same-origin', origin: 'null' }, issuer));
  assert.ok(isSameOrigin({ origin: 'https://id.example.com' }, issuer));
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: issuer },
    { 'sec-fetch-site': 'same-site', origin: 'https://id.example.com' },
  ]) {
    assert.equal(isSameOrigin(headers, issuer), false);
  }
});

test('A redirect path cannot lead to another origin', () => {
  for (const path of ['/', '/t/org_acme/login?next=%2F#top'] as const) {
    assert.equal(new SeeOther(path).location, path);
  }
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    '/a\r\nset-cookie: b',
    '/\t/a',
    '/ü',
  ] as const) {
    assert.throws(() => new SeeOther(path), path);
  }
  const elsewhere = new URL('https://app.example.com/back?state=\r\nx');
  assert.equal(new SeeOther(elsewhere).location, 'https://app.example.com/back?state=x');
});

describe('HTML', () => {
  test('The HTML template escapes every value except HTML built by the template', () => {
    const value = `<b a="1" b='2'>&`;
    assert.equal(html`${value}`.html, '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;');
    assert.equal(html`${[html`<i>${1}</i>`, undefined]}`.html, '<i>1</i>');
    const record = JSON.parse('{ "html": "<i>", "inline": [] }') as string;
    assert.throws(() => html`${record}`);
  });

  test('The styles and scripts of a page are allowed by their hashes if the route declares them', () => {
    const page = html`<p>${style('p{}')}${script('1')}</p>`;
    const policy = contentSecurityPolicy({ styles: true }, page.inline);
    assert.match(policy, /style-src 'self' 'sha256-[^']+';/);
    assert.doesNotMatch(policy, /script-src/);
    assert.match(
      contentSecurityPolicy({ scripts: true }, page.inline),
      /script-src 'self' 'sha256-/,
    );
    assert.throws(() => style('</style><script>'));
  });
});
