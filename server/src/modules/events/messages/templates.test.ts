import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MESSAGE_KIND_NAMES } from '@keywright/contract/messages';
import { expectStatus } from '@keywright/tests/harness/http';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { startWithMessages, type WithMessages } from '@keywright/tests/harness/messages';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'ja'];
const CHALLENGE = 'chl_01m817qnm0e599bza8yqh63kxq';

let sink: MailSink;
let service: WithMessages;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  service = await startWithMessages({
    clock: 'fake',
    env: {
      KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
    },
  });
  tenant = await service.keywright.tenant('acme', { name: 'Acme' });
});
after(async () => {
  await service.keywright.close();
  await sink.close();
});

async function request(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return tenant.request(method, `/messaging${path}`, { token, ...(body && { body }) });
}

async function sent(message: Parameters<WithMessages['queue']>[1]) {
  const seen = sink.mails.length;
  await service.queue(tenant.id, message);
  await until('it arrives', () => sink.mails.length > seen);
  return sink.mails[seen]?.parsed;
}

test('Every message kind has a text in six languages, with the same variables, and nothing left over', async () => {
  const namesIn = (text: unknown) =>
    [...String(text).matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name = '']) => name).toSorted();
  for (const kind of MESSAGE_KIND_NAMES) {
    const english = expectStatus(200, await request('GET', `/templates/${kind}/en`));
    for (const locale of LANGUAGES) {
      const text = expectStatus(200, await request('GET', `/templates/${kind}/${locale}`));
      assert.equal(text['is_shipped'], true);
      assert.deepEqual(namesIn(text['text']), namesIn(english['text']), `${kind} ${locale}`);
      assert.deepEqual(namesIn(text['subject']), namesIn(english['subject']));
      const shown = expectStatus(200, await request('POST', '/preview', { kind, locale }));
      const { sms, ...mail } = shown;
      assert.doesNotMatch(JSON.stringify([mail, sms]), /\{\{|\}\}|undefined/);
      const direction = locale === 'ar' ? 'rtl' : 'ltr';
      assert.match(String(shown['html']), new RegExp(`lang="${locale}" dir="${direction}"`));
      // A tenant could set the shipped text, unless the kind permits no tenant text.
      const { subject, text: body } = text;
      const status = kind === 'notice.logins_changed' ? 400 : 200;
      expectStatus(status, await request('POST', '/preview', { kind, subject, text: body }));
    }
  }
  expectStatus(404, await request('GET', '/templates/login/tlh'));
  expectStatus(404, await request('GET', '/templates/nothing/en'));
});

test('locales: the language is the one asked for, else the first of these with a text, else English', async () => {
  const token = await tenant.adminToken();
  const to = 'ada@example.org';
  assert.equal((await sent({ destination: to }))?.subject, 'Your Acme sign-in code');
  const body = { config: { locales: ['tlh', 'fr-CA', 'de'] } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
  assert.equal((await sent({ destination: to }))?.subject, 'Votre code de connexion Acme');
  assert.equal(
    (await sent({ destination: to, locale: 'ja-JP' }))?.subject,
    'Acme のログインコード',
  );
  assert.equal(
    (await sent({ destination: to, locale: 'pt-BR' }))?.subject,
    'Votre code de connexion Acme',
  );
});

test('A tenant can set its own message texts, which apply until it deletes them', async () => {
  const template = {
    subject: 'Hallo von {{company}}',
    text: 'Code: {{code}}\n\nHilfe: {{support_email}}',
  };
  expectStatus(200, await request('PUT', '/templates/login/de', template));
  const stored = expectStatus(200, await request('GET', '/templates/login/de-AT'));
  assert.deepEqual([stored['subject'], stored['is_shipped']], [template.subject, false]);
  const mail = await sent({
    destination: 'ada@example.org',
    locale: 'de-AT',
    challengeId: CHALLENGE,
  });
  assert.equal(mail?.subject, 'Hallo von Acme');
  // The paragraph whose variable has no value is left out.
  assert.match(mail?.text ?? '', /^Acme\n\nCode: [0-9]{8}\n\nWarum erhalte ich diese E-Mail\?/);
  expectStatus(200, await request('DELETE', '/templates/login/de'));
  expectStatus(404, await request('DELETE', '/templates/login/de'));
  assert.equal(expectStatus(200, await request('GET', '/templates/login/de'))['is_shipped'], true);
});

test('A preview has the text message of those kinds that are sent by SMS', async () => {
  const { sms } = expectStatus(
    200,
    await request('POST', '/preview', { kind: 'login', locale: 'en' }),
  );
  const host = new URL(service.keywright.nodes[0]?.baseUrl ?? '').hostname;
  const text = `123456 is your Acme code. Do not share it.\n\n@${host} #123456`;
  assert.deepEqual(sms, { text, segments: 1 });
  const { sms: japanese } = expectStatus(
    200,
    await request('POST', '/preview', { kind: 'verification', locale: 'ja' }),
  );
  assert.match((japanese as { text: string }).text, /\p{sc=Han}/u);
  const arabic = expectStatus(
    200,
    await request('POST', '/preview', { kind: 'login', locale: 'ar' }),
  );
  const { text: words, segments } = arabic['sms'] as { text: string; segments: number };
  // Outside the GSM alphabet, a single message has 70 characters.
  assert.ok(words.length <= 70, words);
  assert.equal(segments, 1);
  for (const kind of ['invitation', 'notice.identifier_added']) {
    assert.equal(
      expectStatus(200, await request('POST', '/preview', { kind }))['sms'],
      undefined,
      kind,
    );
  }
});

test('A notice with the text of a tenant says how to stop the change that it reports', async () => {
  const text = 'Hello {{identifier}}.';
  expectStatus(
    200,
    await request('PUT', '/templates/notice.identifier_added/de', { subject: 'Neu', text }),
  );
  const kind = 'notice.identifier_added' as const;
  const vars = { changed: 'new@example.org' };
  const mail = await sent({ kind, destination: 'eve@example.org', locale: 'de', vars });
  const warning = 'Waren Sie das nicht? Ändern Sie jetzt Ihr Passwort';
  assert.ok(mail?.text?.startsWith(`Acme\n\nHello eve@example.org.\n\n${warning}`));
  const newText = `${text}\n\nZurück: {{link}}`;
  const shown = await request('POST', '/preview', {
    kind,
    locale: 'de',
    subject: 'Neu',
    text: newText,
  });
  const { text: preview } = expectStatus(200, shown);
  assert.equal(String(preview).split(warning).length, 2);
  assert.doesNotMatch(String(preview), /rückgängig/, 'it undoes the change itself');
  const shipped = expectStatus(200, await request('POST', '/preview', { kind, locale: 'en' }));
  assert.match(String(shipped['text']), /undo this change:\nhttps/);
  assert.equal(String(shipped['text']).match(/Wasn’t it you/g)?.length, 1, 'it asks once');
  const breach = await request('POST', '/preview', { kind: 'notice.password_breached' });
  assert.doesNotMatch(String(expectStatus(200, breach)['text']), /Wasn’t it you/);
  const stored = expectStatus(200, await request('GET', '/templates/notice.identifier_added/de'));
  assert.equal(stored['text'], text);
});

const good = { subject: 'A code', text: 'It is {{code}}.' };
const invalid: readonly (readonly [what: string, change: object, kind?: string])[] = [
  ['an unknown variable', { text: '{{code}} {{password}}' }],
  ['a property of objects', { text: '{{code}} {{constructor}}' }],
  ['an expression', { text: '{{code}} {{ 7*7 }}' }],
  ['braces that are not closed', { text: '{{code}} {{link' }],
  ['a code in the subject', { subject: 'Your code is {{code}}' }],
  ['neither code nor link', { text: 'Hello.' }],
  ['an address of another host', { text: '{{code}} https://evil.example.org/login' }],
  ['an address without a scheme', { text: '{{code}} www.evil.example.org' }],
  [
    'a host that only begins like one of the tenant',
    { text: '{{code}} https://acme.example.com.evil.org' },
  ],
  [
    'a user that looks like a host of the tenant',
    { text: '{{code}} https://acme.example.com@evil.org' },
  ],
  ['a code in a notice', { text: '{{code}}' }, 'notice.new_device'],
];
for (const [what, change, kind = 'login'] of invalid) {
  test(`A message text with ${what} is rejected when it is written`, async () => {
    const body = { ...good, ...change };
    const answer = expectStatus(400, await request('PUT', `/templates/${kind}/en`, body));
    assert.equal(answer['code'], 'TEMPLATE_INVALID');
    assert.equal(
      expectStatus(400, await request('POST', '/preview', { kind, ...body }))['code'],
      'TEMPLATE_INVALID',
    );
  });
}

test('A message text can name the domains of the tenant', async () => {
  const text = '{{code}} https://acme.example.com/help, https://www.acme.example.com.';
  expectStatus(200, await request('POST', '/preview', { ...good, kind: 'login', text }));
});

test('The values in a message are escaped, and cannot leave their line', async () => {
  const mail = await sent({
    kind: 'notice.new_device',
    destination: 'ada@example.org',
    locale: 'en',
    vars: { device: '<script>alert(1)</script>\r\nBcc: evil@example.org', time: '{{code}}' },
  });
  assert.match(mail?.html ?? '', /&lt;script&gt;alert\(1\)&lt;\/script&gt; Bcc/);
  assert.doesNotMatch(mail?.html ?? '', /<script/);
  assert.match(mail?.text ?? '', /Device: <script>alert\(1\)<\/script> Bcc: evil@example.org\n/);
  assert.equal(mail?.bcc, undefined);
  // Variables in a value are not replaced.
  assert.match(mail?.text ?? '', /Time: \{\{code\}\}/);
});

test('A test message goes to any address, with placeholder values, ten times an hour', async () => {
  const seen = sink.mails.length;
  const answer = await request('POST', '/test', { to: 'Resident@Example.org', locale: 'es' });
  expectStatus(201, answer);
  await until('it arrives', () => sink.mails.length > seen);
  assert.deepEqual(sink.mails[seen]?.to, ['resident@example.org']);
  assert.match(sink.mails[seen]?.parsed.text ?? '', /\n12345678\n/);
  expectStatus(400, await request('POST', '/test', { to: 'a@example.org, b@example.org' }));
  for (let index = 1; index < 10; index += 1) {
    expectStatus(201, await request('POST', '/test', { to: 'resident@example.org' }));
  }
  const refused = await request('POST', '/test', { to: 'resident@example.org' });
  assert.equal(expectStatus(429, refused)['code'], 'TOO_MANY_MESSAGES');
});
