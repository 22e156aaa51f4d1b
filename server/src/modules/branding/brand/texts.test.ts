import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import type { TextRecord } from '@keywright/contract/records/text';
import { newClient, requestOf } from '@keywright/tests/harness/code-login';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Visitor } from '@keywright/tests/harness/visitor';
import type { Look } from './look-service.ts';
import { brandModule } from './module.ts';
import { defineModule } from '../../../tenancy/module.ts';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let lookOf: (id: TestTenant['id']) => Promise<Look>;
let tenants = 0;

before(async () => {
  sink = await startMailSink();
  const spy = defineModule('a test of texts', (core, use) => {
    const { looks } = use(brandModule);
    const issuer = 'https://id.example.com';
    // Captures the looks of the first node, which serves the requests.
    lookOf ??= (id) =>
      looks.find({ id, name: 'x', issuer } as Parameters<typeof looks.find>[0], {});
    return {};
  });
  keywright = await startKeywright({ nodes: 2, env: mailThrough(sink), modules: [spy] });
  tenant = await newTenant();
});
after(async () => {
  await keywright.close();
  await sink.close();
});

function newTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`worded-${tenants}`, { name: 'Acme' });
}

async function requestText<Body = TextRecord>(
  method: string,
  path: string,
  text?: string,
  at = tenant,
): Promise<Answer<Body>> {
  const token = await at.adminToken();
  const body = text === undefined ? {} : { body: { text } };
  return at.request<Body>(method, `/texts${path}`, { token, ...body });
}

async function pageOf(at: TestTenant, accepted = 'en'): Promise<string> {
  const { id } = await newClient(at, { name: 'Invoices' });
  const headers = { 'accept-language': accepted };
  const browser = new Visitor(at, `https://id.example.com/t/${at.id}`, headers);
  return (await browser.authorize(requestOf({ id }))).text;
}

describe('the texts of a language', () => {
  test('The texts of a language are listed with their defaults and the placeholders and tags they can contain', async () => {
    for (const locale of TEXT_LOCALES) {
      const answer = await requestText<{ texts: TextRecord[] }>('GET', `/${locale}`);
      const { texts } = expectStatus(200, answer);
      const lead = texts.find(({ key }) => key === 'registration.lead');
      assert.deepEqual([lead?.placeholders, lead?.tags, lead?.text], [['tenant'], ['b'], null]);
      assert.ok(texts.length > 300 && texts.some(({ is_fixed: isFixed }) => isFixed));
      const sample = texts[7];
      assert.deepEqual(
        expectStatus(200, await requestText('GET', `/${locale}/${sample?.key ?? ''}`)),
        sample,
      );
    }
  });

  test('A text of an unknown language or key is not found', async () => {
    const paths = ['/tlh', '/tlh/login.title', '/en/nothing', '/en/constructor', '/en/__proto__'];
    for (const path of paths) {
      expectStatus(404, await requestText('GET', path));
      if (path !== '/tlh') expectStatus(404, await requestText('PUT', path, 'x'));
    }
    expectStatus(404, await requestText('DELETE', '/en/login.title'));
  });
});

describe('a text of a tenant', () => {
  test('A tenant text appears immediately on its pages, in its language only, on every node soon, and until it is deleted', async () => {
    const at = await newTenant();
    const other = await newTenant();
    const former = await pageOf(other);
    assert.match(await pageOf(at), /<h1>Sign in<\/h1>/);
    const put = expectStatus(200, await requestText('PUT', '/en/login.title', 'Welcome back', at));
    assert.deepEqual([put.default, put.text, put.is_fixed], ['Sign in', 'Welcome back', false]);
    assert.match(await pageOf(at), /<h1>Welcome back<\/h1>/);
    assert.match(await pageOf(at, 'de'), /<h1>Anmelden<\/h1>/);
    const [, node] = keywright.nodes;
    assert.ok(node);
    await until('the other node shows it', async () => {
      const { id } = await newClient(at, { name: 'Invoices' });
      const there = new Visitor(
        { request: (method, path, options) => at.request(method, path, { ...options, node: 1 }) },
        `https://id.example.com/t/${at.id}`,
      );
      return (await there.authorize(requestOf({ id }))).text.includes('<h1>Welcome back</h1>');
    });
    // Tokens and ids differ; nothing else does.
    assert.equal((await pageOf(other)).length, former.length);
    const stored = expectStatus(200, await requestText('GET', '/en/login.title', undefined, at));
    assert.equal(stored.text, 'Welcome back');
    expectStatus(200, await requestText('DELETE', '/en/login.title', undefined, at));
    assert.match(await pageOf(at), /<h1>Sign in<\/h1>/);
    expectStatus(404, await requestText('DELETE', '/en/login.title', undefined, at));
  });

  test('All tenants without texts in a language share the same default texts', async () => {
    const [first, second] = [await newTenant(), await newTenant()];
    const { texts } = await lookOf(first.id);
    assert.equal((await lookOf(second.id)).texts, texts);
    expectStatus(200, await requestText('PUT', '/de/login.title', 'Hallo', second));
    assert.equal((await lookOf(first.id)).texts, texts);
    assert.equal((await lookOf(second.id)).texts, texts, 'it has none in this language');
    expectStatus(200, await requestText('PUT', '/en/login.title', 'Hello', second));
    assert.equal((await lookOf(second.id)).texts.text('login.title'), 'Hello');
    // The announcement of the change makes the node read the texts once more; wait for it.
    await until('it is read once', async () => {
      const [current, next] = [await lookOf(second.id), await lookOf(second.id)];
      return current.texts === next.texts;
    });
  });

  test('A tenant text is used in its mails, and in the message templates that the tenant sees', async () => {
    const at = await newTenant();
    const subject = '{company}: your code';
    expectStatus(200, await requestText('PUT', '/en/mail.login.subject', subject, at));
    expectStatus(200, await requestText('PUT', '/en/mail.duration', 'some {minutes} minutes', at));
    const token = await at.adminToken();
    const template = await at.request('GET', '/messaging/templates/login/en', { token });
    assert.equal(expectStatus(200, template)['subject'], '{{company}}: your code');
    const body = { to: 'ada@example.org' };
    expectStatus(201, await at.request('POST', '/messaging/test', { token, body }));
    const { mail } = await mailedTo(sink, 'ada@example.org');
    assert.equal(mail.parsed.subject, 'Acme: your code');
    assert.match(mail.parsed.text ?? '', /Expires in some \d+ minutes\./);
  });

  test('A change of a tenant text is recorded with its language and key, and nothing else', async () => {
    const at = await newTenant();
    expectStatus(200, await requestText('PUT', '/en/login.title', 'Welcome back', at));
    const token = await at.adminToken();
    const path = '/audit?action=branding.text_changed';
    const { items } = expectStatus(200, await at.request('GET', path, { token }));
    const [entry] = items as { details: unknown }[];
    assert.deepEqual(entry?.details, { locale: 'en', key: 'login.title' });
  });

  test('A stored tenant text that is no longer usable is ignored', async () => {
    const at = await newTenant();
    const rows: readonly (readonly [string, string])[] = [
      ['login.title', 'Sign in to {password}'],
      ['login.passkey', '<script>alert(1)</script>'],
      ['login.lead', 'Sign in to continue to a bank'],
      ['gone.long_ago', 'x'],
    ];
    for (const [key, text] of rows) {
      await keywright.database.query(
        `INSERT INTO tenant_texts (tenant_id, locale, key, text, updated_at) VALUES ($1, 'en', $2, $3, now())`,
        [at.id, key, text],
      );
    }
    const page = await pageOf(at);
    assert.match(page, /<h1>Sign in<\/h1>/);
    assert.doesNotMatch(page, /alert|a bank/);
  });
});

const invalid: readonly (readonly [what: string, key: string, text: string, says: RegExp])[] = [
  ['an unknown placeholder', 'login.provider', 'With {password}', /\{password\}.*\{provider\}/],
  ['a property of objects', 'login.provider', '{constructor}', /\{constructor\}/],
  ['braces that are not closed', 'login.provider', 'With {provider', /ICU message, from character/],
  ['no branch for other counts', 'mail.duration', '{minutes, plural, one {1}}', /ICU message/],
  ['an element', 'login.title', '<script>alert(1)</script>', /<script>/],
  ['an attribute', 'registration.lead', 'for <b onclick="x">{tenant}</b>', /ICU message/],
  ['a tag that the default lacks', 'login.title', '<b>Sign in</b>', /<b>/],
  ['a tag that is not closed', 'registration.lead', 'for <b>{tenant}', /ICU message/],
  ['a quoted element', 'login.title', "'<img src=x>'", /< > \{ \}/],
  ['quoted braces', 'mail.login.subject', "'{{'code'}}'", /< > \{ \}/],
  ['no link where there was one', 'totp.key', 'Scan this code.', /<link>/],
  ['a count of a name', 'login.provider', '{provider, plural, other {#}}', /count \{provider\}/],
  ['a format', 'mail.duration', '{minutes, number, ::currency/EUR}', /format/],
  ['an address', 'login.title', 'Log in at https://evil.example', /address/],
  ['a host that is one', 'login.title', 'Log in at www.evil.example', /address/],
  ['a line break', 'login.title', 'Log\nin', /one line/],
  ['a reversed direction', 'login.title', 'Log \u202ein', /one line/],
  ['nothing', 'login.title', '  ', /empty/],
];
for (const [what, key, text, says] of invalid) {
  test(`A text with ${what} is rejected when it is written`, async () => {
    const answer = expectStatus(
      400,
      await requestText<Record<string, unknown>>('PUT', `/en/${key}`, text),
    );
    assert.equal(answer['code'], 'TEXT_INVALID');
    assert.match(String(answer['detail']), says);
    assert.equal(expectStatus(200, await requestText('GET', `/en/${key}`)).text, null);
  });
}

test('A text that is too long or too deeply nested is rejected', async () => {
  const code = async (text: string) =>
    expectStatus(400, await requestText<Record<string, unknown>>('PUT', '/en/mail.duration', text))[
      'code'
    ];
  assert.equal(await code('x'.repeat(1001)), 'VALIDATION_FAILED');
  assert.equal(await code('{minutes,plural,other{'.repeat(45)), 'TEXT_INVALID');
});

test('Texts that protect their readers cannot be changed', async () => {
  const fixed = [
    'consent.title',
    'consent.host',
    'scope.email',
    'leave.back',
    'login.lead',
    'logout.no_return',
    'overview.not_verified',
    'link.if_not_you',
    'notice.factor_added.text',
    'mail.not_you',
    'mail.open_to_undo',
    'sms.login',
    'error.internal',
  ];
  for (const key of fixed) {
    const { default: usual, is_fixed: isFixed } = expectStatus(
      200,
      await requestText('GET', `/en/${key}`),
    );
    assert.ok(isFixed, key);
    const answer = await requestText<Record<string, unknown>>('PUT', `/en/${key}`, usual);
    assert.equal(expectStatus(400, answer)['code'], 'TEXT_FIXED', key);
  }
});

test('A tenant has at most 500 texts, even with 20 simultaneous requests', async () => {
  const at = await newTenant();
  await keywright.database.query(
    `INSERT INTO tenant_texts (tenant_id, locale, key, text, updated_at)
     SELECT $1, 'fr', 'x.' || n, 'x', now() FROM generate_series(1, 495) AS n`,
    [at.id],
  );
  const listed = await requestText<{ texts: TextRecord[] }>('GET', '/en', undefined, at);
  const free = expectStatus(200, listed).texts.filter(
    (text) => !text.is_fixed && text.tags.length === 0,
  );
  const answers = await Promise.all(
    free.slice(0, 20).map(({ key }) => requestText('PUT', `/en/${key}`, 'Words', at)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body as object);
  assert.ok(refused.every((body) => 'code' in body && body.code === 'TOO_MANY_TEXTS'));
  const written = free[answers.findIndex(({ status }) => status === 200)];
  expectStatus(200, await requestText('PUT', `/en/${written?.key ?? ''}`, 'Others', at));
});
