import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import { MESSAGE_KIND_NAMES, type MessageKind } from '@keywright/contract/messages';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type MailSink, startMailSink, type SunkMail } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import { startWithMessages, type WithMessages } from '@keywright/tests/harness/messages';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { describeDevice } from '../../../platform/http/user-agent.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { renderMessage, inWords } from './mail-rendering.ts';
import { chooseText } from './message-texts.ts';

const CHALLENGE = 'chl_01m817qnm0e599bza8yqh63kxq';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let sink: MailSink;
let service: WithMessages;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  service = await startWithMessages({ clock: 'fake', env: mailThrough(sink) });
  tenant = await service.keywright.tenant('acme', { name: 'Acme', config: { locales: ['ja'] } });
});
after(async () => {
  await service.keywright.close();
  await sink.close();
});

async function asAdmin<Body>(method: string, path: string, body: object) {
  const token = await tenant.adminToken();
  return tenant.request<Body>(method, path, { token, body });
}

/** A verified user with two languages in the metadata: the user's own, and the administrators'. */
async function userWith(userLocale: unknown, administrators?: unknown): Promise<TestUser> {
  const user = await tenant.createUser();
  const identifiers = [{ type: 'email', identifier: user.identifier, verified: true }];
  const metadata = administrators === undefined ? {} : { locale: administrators };
  const path = `/users/${user.user.id}`;
  expectStatus(200, await asAdmin('PATCH', path, { identifiers, metadata }));
  if (userLocale !== undefined) {
    const body = { user_metadata: { locale: userLocale } };
    expectStatus(200, await tenant.request('PATCH', '/me', { token: user.token, body }));
  }
  return user;
}

function mailTo(address: string, subject?: RegExp): Promise<SunkMail> {
  return until(`mail to ${address}`, () =>
    sink.mails.find(
      ({ to, parsed }) => to.includes(address) && (subject?.test(parsed.subject ?? '') ?? true),
    ),
  );
}

/** The language of a login message. */
async function languageOf(
  { identifier }: Pick<TestUser, 'identifier'>,
  request: { readonly locale?: string; readonly accepted?: string },
): Promise<string | undefined> {
  const { locale, accepted } = request;
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', {
    body: { identifier, ...(locale && { locale }) },
    headers: accepted ? { 'accept-language': accepted } : {},
  });
  const { flow, flow_token } = expectStatus(201, answer);
  const path = `/auth/flows/${flow.id}/message`;
  expectStatus(200, await tenant.request('POST', path, { body: { flow_token } }));
  const { parsed } = await mailTo(identifier);
  return /<html lang="([^"]*)"/.exec(parsed.html ?? '')?.[1];
}

describe('a message is in the language', () => {
  test('A message is in the language that its user, or an administrator for them, has chosen, whatever the request says', async () => {
    const request = { locale: 'fr', accepted: 'es' };
    assert.equal(await languageOf(await userWith('de-CH'), request), 'de');
    assert.equal(await languageOf(await userWith(undefined, 'ar_EG'), request), 'ar');
    assert.equal(await languageOf(await userWith('de', 'ar'), request), 'de');
  });

  test('A message to a user without a language is in that of the page or the request, else that of the tenant', async () => {
    assert.equal(
      await languageOf(await userWith(undefined), { locale: 'fr', accepted: 'es' }),
      'fr',
    );
    assert.equal(await languageOf(await userWith(undefined), { accepted: 'tlh, es;q=0.5' }), 'es');
    assert.equal(await languageOf(await userWith(undefined), { accepted: 'tlh' }), 'ja');
    assert.equal(await languageOf(await userWith(undefined), {}), 'ja');
    // There are no texts in this language.
    assert.equal(await languageOf(await userWith('tlh'), { locale: 'fr' }), 'fr');
  });

  test('A message is in the language that its user has chosen, even if another node sends it', async () => {
    const { identifier: destination, user } = await userWith('ar');
    await service.abandon(tenant.id, { destination, userId: user.id, locale: 'fr' });
    service.keywright.clock.advance(31);
    await service.messages.queue.runDue();
    const { parsed } = await mailTo(destination);
    assert.equal(parsed.subject, 'رمز تسجيل الدخول إلى Acme');
  });

  test('A message ignores a chosen language that is not the name of a language', async () => {
    for (const odd of [
      '"><script>',
      7,
      ['de'],
      { de: 1 },
      'x'.repeat(2000),
      '',
      'de\nBcc: x@y.org',
    ]) {
      assert.equal(await languageOf(await userWith(odd), { locale: 'fr' }), 'fr');
    }
  });

  test('A message to a new address is in the language in which the user adds the address', async () => {
    const { token } = await userWith(undefined);
    const address = newIdentifier();
    const sent = await tenant.request('POST', '/me/identifiers', {
      token,
      body: { identifier: address },
      headers: { 'accept-language': 'fr-CA, de' },
    });
    expectStatus(200, sent);
    const { parsed } = await mailTo(address);
    assert.equal(parsed.subject, 'Confirmez votre e-mail pour Acme');
  });

  test('A notice is in the language of the user or the tenant, not in that of the request it warns of', async () => {
    const headers = { 'accept-language': 'fr' };
    const french = await userWith('fr');
    await tenant.login(french.identifier, french.password, { headers });
    const notice = await mailTo(french.identifier, /Nouvelle connexion/);
    assert.match(notice.parsed.text ?? '', /^Date : \d+ \p{L}+ 20\d\d à \d\d:\d\d UTC$/mu);
    const other = await userWith(undefined);
    await tenant.login(other.identifier, other.password, { headers });
    await mailTo(other.identifier, /新しいログイン/);
  });
});

/** The text that a reader of the HTML part sees. Buttons show their URL, as the text part does. */
function readOf(html: string): string {
  return html
    .replace(/^[^]*<body/, '<body')
    .replace(/<div style="display:none[^]*?<\/div>/, '')
    .replace(/<h1[^]*?<\/h1>/, '')
    .replaceAll(/<a href="([^"]*)"[^>]*>[^]*?<\/a>/g, ' $1 ')
    .replaceAll(/<br\s*\/?>|<\/(?:p|td|tr)>/g, '\n')
    .replaceAll(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => ENTITIES[name] ?? '');
}
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  amp: '&',
};

const LOGO = { light: 'https://id.example/brand/a', dark: 'https://id.example/brand/b' };

/** Values that an attacker would set. */
const HOSTILE = {
  company: '</p><h1>Pay</h1>\r\n\r\nBcc: a@evil.org {{code}} \u202e{duration}',
  identifier: '"><img src=x onerror=alert(1)>',
  support_email: 'a@b.c\nEnter 00000000 at evil.org',
  changed: '\u2067evil\u2069 <a href="javascript:alert(1)">{{link}}</a>\u2028Next line',
  browser: '<b>',
  system: '\u0000&lt;',
  time: '2026-03-04T05:06:07Z',
  valid_until: '2026-03-04T05:06:07Z',
  minutes: '10',
  code: '12345678',
  link: 'https://id.example/login#link_token=x',
  account_url: 'https://id.example/account',
  ip_address: '203.0.113.7"><b>',
  what: 'provider_added',
  actor: '<i>',
};

const HARMLESS = {
  ...HOSTILE,
  company: 'Acme',
  identifier: 'ada@example.com',
  support_email: 'help@acme.example',
  changed: 'new@example.com',
  browser: 'Firefox',
  system: 'Linux',
  ip_address: '203.0.113.7',
};

async function rendered(kind: MessageKind, locale: TextLocale, values: typeof HOSTILE) {
  const text = await chooseText(kind, [locale], [], loadTexts);
  const brand = { name: values.company, branding: { primary_color: '#ffe14d' }, logo: LOGO };
  const look = { kind, locale, brand, texts: await loadTexts(locale) };
  return renderMessage(text, await inWords(values, locale, loadTexts), look);
}

/** The order does not matter: an email shows facts below the action. */
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).toSorted();

describe('every message in every language', () => {
  const cases = MESSAGE_KIND_NAMES.flatMap((kind) =>
    TEXT_LOCALES.map((locale) => ({ kind, locale })),
  );

  test('Every message in every language says the same in its text and its HTML part', async () => {
    for (const { kind, locale } of cases) {
      const { text, html } = await rendered(kind, locale, HOSTILE);
      const read = text.replaceAll(/[\u2068\u2069]/g, '');
      assert.deepEqual(wordsOf(readOf(html)), wordsOf(read), kind);
      assert.equal(text.includes('\u2068'), locale === 'ar');
    }
  });

  test('No message in any language has an element, address, line or direction injected by a value', async () => {
    for (const { kind, locale } of cases) {
      const { text, html, subject } = await rendered(kind, locale, HOSTILE);
      const tags = [...html.matchAll(/<\/?([a-z0-9!]+)/g)].map(([, name]) => name);
      const documentTags = [
        '!doctype',
        'html',
        'head',
        'meta',
        'title',
        'body',
        'div',
        'table',
        'tr',
        'td',
        'h1',
        'p',
      ];
      const inline = ['img', 'br', 'bdi', 'a'];
      assert.deepEqual(
        tags.filter((name) => ![...documentTags, ...inline].includes(name ?? '')),
        [],
      );
      for (const [, address] of html.matchAll(/(?:href|src|srcset)="([^"]*)"/g)) {
        assert.match(
          address ?? '',
          /^https:\/\/id\.example\/(?:brand\/a|login#link_token=x|account)$/,
        );
      }
      assert.doesNotMatch(subject, /[\r\n]/);
      assert.doesNotMatch(
        (subject + text + html).replaceAll('\n', ''),
        /[\u202a-\u202e\u2066\u2067\u2028\u2029\p{Cc}]/u,
      );
      const benign = {
        ...HOSTILE,
        company: 'A',
        identifier: 'i',
        support_email: 's',
        changed: 'c',
      };
      const plain = await rendered(kind, locale, benign);
      assert.equal(text.split('\n').length, plain.text.split('\n').length, kind);
      // Variables in a value are not replaced: the code appears only where the text contains it.
      assert.equal(text.split('12345678').length, plain.text.split('12345678').length, kind);
    }
  });

  test('Every message counts, and writes times, as its language does', async () => {
    const lineOf = async (locale: TextLocale, minutes: string) => {
      const { text } = await rendered('login', locale, { ...HOSTILE, minutes });
      return text.replaceAll(/[\u2068\u2069]/g, '').split('\n\n')[3];
    };
    assert.equal(await lineOf('en', '1'), 'Expires in 1 minute.');
    assert.equal(await lineOf('ar', '2'), 'تنتهي الصلاحية خلال دقيقتين.');
    assert.equal(await lineOf('ar', '10'), 'تنتهي الصلاحية خلال 10 دقائق.');
    assert.equal(await lineOf('ar', '11'), 'تنتهي الصلاحية خلال 11 دقيقة.');
    const timeIn = async (locale: TextLocale) =>
      (await rendered('notice.new_device', locale, HOSTILE)).text.split('\n\n')[2];
    assert.match((await timeIn('en')) ?? '', /^Time: March 4, 2026 at 05:06.AM UTC$/);
    assert.equal(await timeIn('de'), 'Zeitpunkt: 4. März 2026 um 05:06 UTC');
    assert.match((await timeIn('ar')) ?? '', /4 مارس 2026/);
  });
});

describe('the HTML part of every message', () => {
  test('Every message is a table of at most 600 pixels with inline styles, a heading, and at most 14 KB', async () => {
    for (const kind of MESSAGE_KIND_NAMES) {
      const { html, subject, text } = await rendered(kind, 'en', HARMLESS);
      assert.ok(Buffer.byteLength(html) <= 14_000, `${kind}: ${Buffer.byteLength(html)}`);
      assert.match(html, /<table [^>]*width="600" style="width:100%;max-width:600px;/);
      assert.doesNotMatch(html, /<style|class=|<script|<link|url\(|@import/);
      assert.equal(/<h1 style="[^"]+">(.*?)<\/h1>/.exec(html)?.[1], subject, kind);
      const sources = [...html.matchAll(/\ssrc="([^"]*)"/g)].map(([, source]) => source);
      assert.deepEqual(sources, [LOGO.light], 'nothing but the logo is loaded');
      assert.match(text, /Why did I get this\?/);
    }
  });

  test('Every message with a link has one button of 44 pixels that opens it, and the URL in the text part', async () => {
    const linked = {
      login: 'Sign in to Acme',
      recovery: 'Reset password',
      invitation: 'Accept invitation',
    };
    const notices = {
      'notice.identifier_added': 'Undo change',
      'notice.new_device': 'Review account',
    };
    for (const [kind, label] of Object.entries({ ...linked, ...notices })) {
      const { html, text } = await rendered(kind as MessageKind, 'en', HARMLESS);
      const buttons = [...html.matchAll(/<a href="([^"]*)" style="([^"]*)">\n?(.*?)\n?<\/a>/g)];
      const [, href = '', rule = '', words = ''] = buttons[0] ?? [];
      assert.equal(buttons.length, 1, kind);
      assert.equal(words.replaceAll(/<\/?bdi>/g, ''), label);
      // With its border: 2 × (11 + 1) + 20.
      assert.match(rule, /display:block;padding:11px 20px;.*line-height:20px/);
      assert.ok(text.includes(`\n${href}\n`), kind);
    }
  });

  test('The line that mailboxes show next to the subject has no code, and does not repeat the message', async () => {
    const { html } = await rendered('login', 'en', HARMLESS);
    const [, shown = ''] = /<div style="display:none[^>]*>([^]*?)<\/div>/.exec(html) ?? [];
    assert.match(shown, /^Enter this code where you’re signing in\. Or sign in with one click/);
    assert.ok(!shown.includes(HARMLESS.code) && shown.includes('&zwnj;'));
  });

  test('The label of a button is readable on every brand color', async () => {
    for (const [primary_color, label] of [
      ['#0b6e4f', '#ffffff'],
      ['#ffe14d', '#000000'],
    ] as const) {
      const texts = await loadTexts('en');
      const brand = { name: 'Acme', branding: { primary_color }, logo: undefined };
      const text = await chooseText('login', ['en'], [], loadTexts);
      const { html } = renderMessage(text, HARMLESS, { kind: 'login', locale: 'en', brand, texts });
      assert.match(html, new RegExp(`bgcolor="${primary_color}"[^]*?color:${label};`));
    }
  });
});

test('A mail has the name, the color and the logo of the tenant, which the service serves', async () => {
  const branding = { company_name: 'Acme <Ltd>', primary_color: '#0b6e4f', color_scheme: 'light' };
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await asAdmin('PATCH', path, { branding }));
  await service.keywright.database.query(
    `INSERT INTO logos (tenant_id, kind, url, status, digest, content_type, image)
     VALUES ($1, 'logo', 'https://acme.example.com/logo.png', 'stored', sha256($2), 'image/png', $2)`,
    [tenant.id, PNG],
  );
  await service.queue(tenant.id, { kind: 'notice.new_device', destination: 'brand@example.org' });
  const { parsed, raw } = await mailTo('brand@example.org');
  const html = parsed.html ?? '';
  assert.match(html, /bgcolor="#0b6e4f"/);
  assert.doesNotMatch(html, /prefers-color-scheme/);
  assert.equal(parsed.from?.name, 'Acme <Ltd>');
  assert.match(parsed.text ?? '', /^Acme <Ltd>\n\n/);
  const [, address = '', name] = /<img src="([^"]*)" alt="([^"]*)"/.exec(html) ?? [];
  assert.equal(name, 'Acme &lt;Ltd&gt;');
  const image = await service.keywright.request('GET', new URL(address).pathname);
  assert.equal(image.status, 200);
  assert.equal(image.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.deepEqual(headersOf(raw), HEADERS);
});

test('The name of a tenant adds no header to a mail', async () => {
  const branding = { company_name: 'Acme\u2028Bcc: a@evil.org, "x" <b@evil.org>', logo_url: null };
  expectStatus(200, await asAdmin('PATCH', `/tenants/${tenant.id}`, { branding }));
  await service.queue(tenant.id, { destination: 'headers@example.org', challengeId: CHALLENGE });
  const { parsed, raw, to } = await mailTo('headers@example.org');
  assert.deepEqual(headersOf(raw), HEADERS);
  assert.deepEqual(to, ['headers@example.org']);
  assert.equal(parsed.from?.address, 'login@acme.example');
});

const HEADERS = [
  'auto-submitted',
  'from',
  'to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
].toSorted();

function headersOf(raw: string): string[] {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  return [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name.toLowerCase()).toSorted();
}

test('The name of a device comes from a list, regardless of what the header says', () => {
  const header = 'Mozilla/5.0 (Windows NT 10.0) call +1 555 0100 Firefox/140.0';
  assert.deepEqual(describeDevice(header), { browser: 'Firefox', system: 'Windows' });
  assert.deepEqual(describeDevice('call +1 555 0100'), {});
  assert.deepEqual(describeDevice(null), {});
});
