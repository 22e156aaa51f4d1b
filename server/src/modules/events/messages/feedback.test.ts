import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import type { SuppressionRecord } from '@keywright/contract/records/message';
import { expectStatus } from '@keywright/tests/harness/http';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { startWithMessages, type WithMessages } from '@keywright/tests/harness/messages';
import { type FakeSns, startSns } from '@keywright/tests/harness/sns';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

const lines: string[] = [];
let service: WithMessages;
let sns: FakeSns;
let sink: MailSink;
let acme: TestTenant;
let token: string;
let reports = 0;

before(async () => {
  sns = await startSns();
  sink = await startMailSink();
  service = await startWithMessages({
    env: {
      KEYWRIGHT_BASE_URL: 'http://localhost:8080',
      KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
      KEYWRIGHT_LOG_LEVEL: 'trace',
    },
    log: (line) => lines.push(line),
  });
  sns.reroute(service.core);
  acme = await service.keywright.tenant('acme');
  token = await tokenOf(acme);
});

after(async () => {
  await service.keywright.close();
  await Promise.all([sns.close(), sink.close()]);
});

async function tokenOf(tenant: TestTenant): Promise<string> {
  const options = { token: await tenant.adminToken() };
  const { url } = expectStatus(200, await tenant.request('GET', '/messaging/feedback', options));
  const [, found = ''] =
    /^http:\/\/localhost:8080\/t\/(?:org_\w+)\/messaging\/feedback\/([\w-]{43})$/.exec(
      String(url),
    ) ?? [];
  assert.notEqual(found, '', String(url));
  return found;
}

/** Posts feedback as providers do, without a header that names the tenant. */
function post(body: object, secret = token, tenant = acme, type = 'application/json') {
  const path = `/t/${tenant.id}/messaging/feedback/${secret}`;
  return service.keywright.request('POST', path, { body, contentType: type });
}

async function suppressed(tenant = acme): Promise<readonly SuppressionRecord[]> {
  const path = '/messaging/suppressions?limit=100';
  const options = { token: await tenant.adminToken() };
  const answer = await tenant.request<{ items: SuppressionRecord[] }>('GET', path, options);
  return expectStatus(200, answer).items;
}

async function isSuppressed(address: string, tenant = acme): Promise<string | undefined> {
  const options = { token: await tenant.adminToken() };
  const path = `/messaging/suppressions/${address}`;
  const { status, body } = await tenant.request<SuppressionRecord>('GET', path, options);
  return status === 200 ? body.reason : undefined;
}

async function release(address: string): Promise<void> {
  const options = { token: await acme.adminToken() };
  expectStatus(200, await acme.request('DELETE', `/messaging/suppressions/${address}`, options));
}

function report(type: string, email: string, change: object = {}) {
  reports += 1;
  return { type, id: `report-${reports}`, email, at: new Date().toISOString(), ...change };
}

function bounceOf(email: string, bounceType = 'Permanent'): string {
  const bounce = { bounceType, bouncedRecipients: [{ emailAddress: email }] };
  return JSON.stringify({ notificationType: 'Bounce', bounce });
}

async function isSent(
  tenantId: TenantId,
  destination: string,
  kind: 'login' | 'notice.new_device',
): Promise<boolean> {
  await service.queue(tenantId, { destination, kind });
  let last: Readonly<Record<string, unknown>> | undefined;
  await until('it was tried', async () => {
    last = (await service.rows(tenantId)).at(-1);
    return last?.['status'] !== 'pending';
  });
  return last?.['status'] === 'done';
}

describe('a bounce', () => {
  test('A bounce ends all messages to the address, in this tenant only', async () => {
    const to = 'gone@example.org';
    assert.deepEqual(expectStatus(200, await post(report('bounce', 'Gone@Example.org'))), {
      suppressed: 1,
    });
    assert.equal(await isSuppressed(to), 'bounce');
    assert.equal(await isSent(acme.id, to, 'login'), false);
    assert.equal(await isSent(acme.id, to, 'notice.new_device'), false);
    const other = await service.keywright.tenant('other');
    assert.deepEqual(await suppressed(other), []);
    assert.equal(await isSent(other.id, to, 'login'), true);
  });

  test('A bounce report from Postmark suppresses the address, and a temporary one is ignored', async () => {
    const base = { RecordType: 'Bounce', MessageID: 'm', BouncedAt: new Date().toISOString() };
    const hard = { ...base, Type: 'HardBounce', ID: 1, Email: 'hard@example.org', Inactive: true };
    const soft = { ...base, Type: 'SoftBounce', ID: 2, Email: 'soft@example.org' };
    const spam = { ...base, RecordType: 'SpamComplaint', Type: 'SpamComplaint', ID: 3 };
    assert.equal(expectStatus(200, await post(hard))['suppressed'], 1);
    assert.equal(expectStatus(200, await post(soft))['suppressed'], 0);
    expectStatus(200, await post({ ...spam, Email: 'angry@example.org' }));
    assert.equal(await isSuppressed('hard@example.org'), 'bounce');
    assert.equal(await isSuppressed('soft@example.org'), undefined);
    assert.equal(await isSuppressed('angry@example.org'), 'complaint');
  });

  test('A bounce report from Amazon SES is accepted with both versions of its signature', async () => {
    for (const version of ['1', '2'] as const) {
      const email = `ses${version}@example.org`;
      const sent = sns.sign({ Message: bounceOf(email), Subject: 'SES' }, version);
      const answer = await post(sent, token, acme, 'text/plain; charset=UTF-8');
      assert.equal(expectStatus(200, answer)['suppressed'], 1);
      assert.equal(await isSuppressed(email), 'bounce');
    }
    assert.equal(sns.requestedPaths.length, 1, 'the certificate is cached');
    const later = sns.sign({ Message: bounceOf('full@example.org', 'Transient') });
    assert.equal(expectStatus(200, await post(later))['suppressed'], 0);
    const text = sns.sign({ Message: 'Successfully validated SNS topic.' });
    assert.equal(expectStatus(200, await post(text))['suppressed'], 0);
  });
});

describe('a complaint', () => {
  test('A complaint ends notices to the address, but not login messages', async () => {
    const to = 'annoyed@example.org';
    const complainedRecipients = [{ emailAddress: to }];
    const complaint = { complainedRecipients };
    const Message = JSON.stringify({ eventType: 'Complaint', complaint });
    assert.equal(expectStatus(200, await post(sns.sign({ Message })))['suppressed'], 1);
    assert.equal(await isSent(acme.id, to, 'notice.new_device'), false);
    assert.equal(await isSent(acme.id, to, 'login'), true);
    expectStatus(200, await post(report('bounce', to)));
    assert.equal(await isSuppressed(to), 'bounce', 'a bounce outweighs it');
    expectStatus(200, await post(report('complaint', to)));
    assert.equal(await isSuppressed(to), 'bounce');
  });

  test('A complaint that says that the message was not spam is ignored', async () => {
    const complaint = {
      complaintFeedbackType: 'not-spam',
      complainedRecipients: [{ emailAddress: 'glad@example.org' }],
    };
    const Message = JSON.stringify({ notificationType: 'Complaint', complaint });
    assert.equal(expectStatus(200, await post(sns.sign({ Message })))['suppressed'], 0);
  });
});

describe('a report is refused', () => {
  const victim = 'victim@example.org';

  after(async () => assert.equal(await isSuppressed(victim), undefined));

  test('A feedback report without the secret of this tenant gets the response of an unknown address', async () => {
    const neighbor = await service.keywright.tenant('neighbor');
    const theirs = await tokenOf(neighbor);
    for (const secret of [theirs, 'x'.repeat(43), 'short', `${token}x`, 'msg_%00']) {
      const answer = await post(report('bounce', victim), secret);
      assert.equal(expectStatus(404, answer)['code'], 'NOT_FOUND');
    }
    expectStatus(404, await post(report('bounce', victim), token, neighbor));
    assert.deepEqual(await suppressed(neighbor), []);
  });

  test('A feedback report is refused if its signature is forged, or its certificate is elsewhere', async () => {
    const genuine = sns.sign({ Message: bounceOf('user@example.org') });
    const attacker = await startSns();
    const forged = [
      { ...genuine, Message: bounceOf(victim) },
      { ...genuine, Type: 'SubscriptionConfirmation', SubscribeURL: 'https://example.com/' },
      { ...genuine, Signature: '' },
      { ...genuine, SignatureVersion: '3' },
      attacker.sign({ Message: bounceOf(victim) }),
      ...[
        'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0a.pem',
        'https://evil.example/SimpleNotificationService-0a.pem',
        'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem',
        'https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0a.pem',
        'https://evil@sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem',
        'https://sns.eu-west-1.amazonaws.com/x/SimpleNotificationService-0a.pem',
        'https://sns.eu-west-1.amazonaws.com/?Action=Publish&x=SimpleNotificationService-0a.pem',
        'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem?x',
        'https://evil.sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem',
        'https://169.254.169.254/SimpleNotificationService-0a.pem',
      ].map((SigningCertURL) => attacker.sign({ Message: bounceOf(victim), SigningCertURL })),
    ];
    const seen = sns.requestedPaths.length;
    for (const body of forged) {
      const answer = await post(body);
      assert.equal(expectStatus(400, answer)['code'], 'FEEDBACK_REFUSED', JSON.stringify(body));
    }
    assert.equal(sns.requestedPaths.length, seen, 'nothing was fetched');
    await attacker.close();
  });

  test('A feedback report is refused if its certificate has expired', async () => {
    const old = await startSns({ isExpired: true });
    const end = old.reroute(service.core);
    const SigningCertURL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-ffff.pem';
    const answer = await post(old.sign({ Message: bounceOf(victim), SigningCertURL }));
    assert.equal(expectStatus(400, answer)['code'], 'FEEDBACK_REFUSED');
    assert.equal(old.requestedPaths.length, 1);
    end();
    await old.close();
  });

  test('A feedback report is refused if it is older than a day, or from the future', async () => {
    for (const hours of [25, -1]) {
      const at = new Date(Date.now() - hours * 3_600_000).toISOString();
      const Timestamp = at;
      const postmark = { RecordType: 'Bounce', Type: 'HardBounce', ID: 9, Email: victim };
      for (const body of [
        report('bounce', victim, { at }),
        { ...postmark, BouncedAt: at },
        sns.sign({ Message: bounceOf(victim), Timestamp }),
      ]) {
        assert.equal(expectStatus(400, await post(body))['code'], 'FEEDBACK_REFUSED');
      }
    }
  });

  test('A feedback report is refused if it is incomplete, too large, or of another type', async () => {
    const { id: _, ...anonymous } = report('bounce', victim);
    const { at: __, ...timeless } = report('bounce', victim);
    for (const body of [anonymous, timeless, {}, { RecordType: 'Bounce', Email: victim }]) {
      assert.equal(expectStatus(400, await post(body))['code'], 'FEEDBACK_REFUSED');
    }
    const large = report('bounce', victim, { note: 'x'.repeat(17_000) });
    assert.equal(expectStatus(413, await post(large))['code'], 'BODY_TOO_LARGE');
    const form = await post(
      report('bounce', victim),
      token,
      acme,
      'application/x-www-form-urlencoded',
    );
    assert.equal(expectStatus(415, form)['code'], 'CONTENT_TYPE_UNSUPPORTED');
  });
});

describe('a report that is sent again', () => {
  test('A feedback report that is sent again changes nothing: a released address remains released', async () => {
    const to = 'back@example.org';
    const ses = sns.sign({ Message: bounceOf(to) });
    const generic = report('bounce', to);
    for (const body of [ses, generic]) {
      assert.equal(expectStatus(200, await post(body))['suppressed'], 1);
      await release(to);
      assert.equal(expectStatus(200, await post(body))['suppressed'], 0);
      assert.equal(await isSuppressed(to), undefined);
    }
  });
});

describe('a subscription of Amazon SNS', () => {
  const subscribe = (SubscribeURL: string) =>
    sns.sign({ Type: 'SubscriptionConfirmation', Message: 'm', Token: 't', SubscribeURL });

  test('A subscription of Amazon SNS is confirmed', async () => {
    const path = '/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:x&Token=23a';
    expectStatus(200, await post(subscribe(`https://sns.eu-west-1.amazonaws.com${path}`)));
    assert.equal(sns.requestedPaths.at(-1), path);
  });

  test('A subscription of Amazon SNS is not confirmed at any other address', async () => {
    const seen = sns.requestedPaths.length;
    for (const url of [
      'https://example.com/?Action=ConfirmSubscription&Token=2',
      'http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2',
      'https://sns.eu-west-1.amazonaws.com/?Action=DeleteTopic&Token=2',
      'https://sns.eu-west-1.amazonaws.com.evil.example/?Action=ConfirmSubscription&Token=2',
      'https://169.254.169.254/?Action=ConfirmSubscription&Token=2',
    ]) {
      assert.equal(expectStatus(400, await post(subscribe(url)))['code'], 'FEEDBACK_REFUSED', url);
    }
    assert.equal(sns.requestedPaths.length, seen);
  });
});

test('The feedback reports of a tenant are limited to 600 a minute', async () => {
  const flooded = await service.keywright.tenant('flooded');
  const secret = await tokenOf(flooded);
  let last = 0;
  for (let index = 0; index <= 600 && last !== 429; index += 1) {
    last = (await post({}, secret, flooded)).status;
    assert.equal(last, index === 600 ? 429 : 400);
  }
  expectStatus(200, await post(report('bounce', 'fine@example.org')));
});

test('The log has neither the secret nor the addresses of mail feedback', () => {
  const log = lines.join('');
  assert.match(log, /\/messaging\/feedback\/…/);
  assert.match(log, /\/messaging\/suppressions\/…/);
  assert.ok(!log.includes(token));
  assert.doesNotMatch(log, /victim@example\.org/);
});
