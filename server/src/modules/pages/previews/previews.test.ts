import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PREVIEW_PAGES } from '@keywright/contract/preview-pages';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { MESSAGE_KIND_NAMES } from '@keywright/contract/messages';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { allow_registration: true };
  tenant = await keywright.tenant('previewed', { name: 'Previewed', config });
  token = await tenant.adminToken();
});
after(() => keywright.close());

interface Preview {
  readonly url: string;
  readonly code?: string;
  readonly contrast: readonly {
    readonly part: string;
    readonly ratio: number;
    readonly required: number;
    readonly is_moved: boolean;
  }[];
}

const requestPreview = (body: object, at = tenant) =>
  at.request<Preview>('POST', '/branding/preview', { token, body });

async function open(url: string, headers: Record<string, string> = {}): Promise<Answer<JsonBody>> {
  const { pathname, search } = new URL(url);
  return keywright.request('GET', `${pathname}${search}`, { headers, tenant: [] });
}

async function show(body: object): Promise<Answer<JsonBody>> {
  return open(expectStatus(200, await requestPreview(body)).url);
}

describe('a preview', () => {
  test('Every page in every language and every mail can be previewed, without scripts and cookies', async () => {
    const shown = PREVIEW_PAGES.flatMap((page) => TEXT_LOCALES.map((locale) => ({ page, locale })));
    const mails = MESSAGE_KIND_NAMES.map((kind) => ({ message: { kind, locale: 'de' } }));
    for (const body of [...shown, ...mails]) {
      const answer = await show(body);
      const what = JSON.stringify(body);
      assert.equal(answer.status, 200, what);
      assert.doesNotMatch(
        answer.text,
        /<script|<iframe|autofocus|href="https?:\/\/(?!id\.example)/,
        what,
      );
      assert.equal(answer.headers['set-cookie'], undefined, what);
      assert.match(
        answer.text,
        'locale' in body ? new RegExp(`lang="${body.locale}"`) : /lang="de"/,
      );
    }
  });

  test('A preview has the requested branding, and the stored branding remains unchanged', async () => {
    const stored = { primary_color: '#112233', company_name: 'Stored Ltd', corner: 3 };
    const options = { token, body: { branding: stored } };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, options));
    const branding = {
      primary_color: '#0b6e4f',
      company_name: '<b>Drafted</b>',
      corner: null,
      terms_url: 'https://acme.example.com/terms',
    };
    const { text } = await show({ branding, color_scheme: 'dark' });
    assert.ok(text.includes('#0b6e4f') && text.includes('&lt;b&gt;Drafted&lt;/b&gt;'), text);
    assert.ok(text.includes('color-scheme:dark'));
    assert.doesNotMatch(text, /--corner:3px|Stored Ltd|acme\.example\.com/);
    assert.match((await show({})).text, /#112233.*Stored Ltd/s);
    assert.match((await show({ branding: { company_name: null } })).text, /Previewed/);
  });

  test('A preview reports what its colors become, each with at least the required contrast', async () => {
    const of = async (branding: object) => {
      const { contrast } = expectStatus(200, await requestPreview({ branding }));
      assert.equal(contrast.length, 8);
      assert.ok(contrast.every(({ ratio, required }) => ratio >= required));
      return contrast.filter((entry) => entry.is_moved).map(({ part }) => part);
    };
    assert.deepEqual(await of({ primary_color: null }), []);
    const pale = await of({ primary_color: '#ffe14d', secondary_color: '#7a5a14' });
    assert.deepEqual(pale.toSorted(), ['button_edge', 'focus', 'link']);
  });

  test('A page preview has the requested text, which is validated like a stored text', async () => {
    const worded = (key: string, text: string, locale = 'de') =>
      requestPreview({ locale, text: { key, text } });
    const { url } = expectStatus(200, await worded('login.title', 'Grüezi'));
    assert.match((await open(url)).text, /<h1>Grüezi<\/h1>/);
    for (const [key, text, code] of [
      ['login.title', 'Hello {unknown}', 'TEXT_INVALID'],
      ['login.title', 'see www.evil.example', 'TEXT_INVALID'],
      ['consent.title', 'Nothing to see', 'TEXT_FIXED'],
      ['login.nothing', 'Hello', 'VALIDATION_FAILED'],
      ['__proto__', 'Hello', 'VALIDATION_FAILED'],
    ] as const) {
      assert.equal((await worded(key, text)).body.code, code, `${key} ${text}`);
    }
  });

  test('A mail preview has the requested text, which is validated like a stored text', async () => {
    const message = {
      kind: 'login',
      locale: 'en',
      subject: 'A code',
      text: 'Take {{code}}, friend.',
    };
    const { text } = await show({ message });
    assert.match(text, /Take <bdi dir="ltr" class="word">12345678<\/bdi>, friend\./);
    const wrong = await requestPreview({ message: { ...message, text: 'Take {{everything}}.' } });
    assert.equal(wrong.body.code, 'TEMPLATE_INVALID');
    const tooLong = await requestPreview({
      message: { ...message, text: `{{code}} ${'a'.repeat(8150)}` },
    });
    assert.equal(tooLong.status, 200);
    const wide = await requestPreview({
      message: { ...message, text: `{{code}} ${'ü'.repeat(6000)}` },
    });
    assert.equal(wide.body.code, 'VALIDATION_FAILED');
  });

  test('A preview can be framed only by its own origin, in a sandbox in which nothing runs or is sent', async () => {
    const { headers } = await show({});
    const policy = String(headers['content-security-policy']).split('; ');
    for (const directive of [
      "default-src 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-same-origin',
      "form-action 'none'",
      "base-uri 'none'",
    ]) {
      assert.ok(policy.includes(directive), policy.join('; '));
    }
    assert.doesNotMatch(policy.join(), /script-src|connect-src|unsafe|\*/);
    assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
    assert.equal(headers['cache-control'], 'no-store');
  });

  test('A preview shows nothing at a changed address, in another tenant, or after ten minutes', async () => {
    const { url } = expectStatus(
      200,
      await requestPreview({ branding: { company_name: 'Drafted' } }),
    );
    const other = await keywright.tenant('other');
    const refused = async (address: string) => {
      const answer = await open(address);
      assert.deepEqual([answer.status, answer.headers['x-frame-options']], [400, 'DENY'], address);
      assert.ok(!answer.text.includes('Drafted'));
    };
    await refused(url.replace(tenant.id, other.id));
    await refused(`${url.slice(0, -4)}AAAA`);
    await refused(`${url}x`);
    keywright.clock.advance(10 * 60 - 1);
    assert.equal((await open(url)).status, 200);
    keywright.clock.advance(1);
    await refused(url);
  });

  test('A preview is the same for every caller, whatever credentials they send', async () => {
    const { url } = expectStatus(200, await requestPreview({}));
    const plain = (await open(url)).text;
    const headers = { authorization: `Bearer ${token}`, cookie: '__Host-kw_x=y' };
    assert.equal((await open(url, headers)).text, plain);
  });
});
