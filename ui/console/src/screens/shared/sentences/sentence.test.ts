import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT_ACTION_NAMES, type AuditAction, SYSTEM_WORK } from '@keywright/contract/audit';
import { EVENT_TYPES, EVENTS, type EventRecord } from '@keywright/contract/events';
import { exampleOf } from '@keywright/contract/example';
import { AuditEntry } from '@keywright/contract/records/audit-entry';
import { LOCALES } from '../../../texts/locales.ts';
import { loadSentences } from '../../../texts/sentences.ts';
import { refusalOf } from './refusal.ts';
import { idsIn, sentenceOfEntry, sentenceOfEvent } from './sentence.ts';
import { workOf } from './system-work.ts';

const ENTRY = { ...(exampleOf(AuditEntry) as AuditEntry), details: {} };
const ADA = 'user:01m817qnm0e599bza8yqh63kxq';
const GRACE = 'user:01m81cy9n0e3raphkd6b1e1h4d';
const ANONYMOUS = { kind: 'anonymous', id: null, on_behalf_of: null, credential: null } as const;
const OLIVIA = { ...ANONYMOUS, kind: 'user', id: ADA } as const;

function keyOf(action: AuditAction, change: Partial<AuditEntry> = {}): string {
  return sentenceOfEntry({ ...ENTRY, actor: OLIVIA, action, ...change }).key;
}

const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

test('Every action of the audit log and every event type has a sentence in each language', async () => {
  const events = EVENT_TYPES.map((type) => `event.${type}`);
  for (const locale of LOCALES) {
    const sentences = await loadSentences(locale);
    for (const key of [...AUDIT_ACTION_NAMES, ...events]) {
      const text = Object.entries(sentences).find(([name]) => name === key)?.[1] ?? '';
      assert.ok(text.length > 3, `${locale}.json has no sentence for ${key}. Add one.`);
    }
  }
});

test('The sentences of each language have the same keys and the same placeholders', async () => {
  const english = await loadSentences('en');
  for (const locale of LOCALES) {
    const sentences = await loadSentences(locale);
    assert.deepEqual(Object.keys(sentences).toSorted(), Object.keys(english).toSorted());
    for (const [key, text] of Object.entries(sentences)) {
      const expected = placeholdersOf(english[key as keyof typeof english]);
      assert.deepEqual(placeholdersOf(text).toSorted(), expected.toSorted(), `${locale} ${key}`);
    }
  }
});

test('Everything that the sentence about an event names is in its data', async () => {
  const english = await loadSentences('en');
  for (const type of EVENT_TYPES) {
    const data = exampleOf(EVENTS[type].data) as EventRecord['data'];
    const sentence = sentenceOfEvent({ id: 'evt_1', type, created_at: '', data } as EventRecord);
    for (const place of placeholdersOf(english[sentence.key])) {
      const found = sentence.places[place];
      assert.ok(found && !('noun' in found && found.noun === 'noun.none'), `${type} ${place}`);
    }
  }
});

test('A sentence about what users do to themselves differs from one about what others do to them', () => {
  const onSelf = { target: { kind: 'user', id: ADA } } as const;
  const others = { target: { kind: 'user', id: GRACE } } as const;
  assert.equal(keyOf('user.updated', onSelf), 'user.updated.self');
  assert.equal(keyOf('user.updated', others), 'user.updated');
  assert.equal(keyOf('user.disabled', onSelf), 'user.disabled');
  assert.equal(keyOf('user.created', { ...others, actor: ANONYMOUS }), 'user.created.self');
  assert.equal(keyOf('session.revoked', onSelf), 'session.revoked.everywhere');
  assert.equal(keyOf('session.revoked', others), 'session.revoked.user');
  const session = { kind: 'session', id: 'session:01m8184fs0eaf81caj1xgnzy8b' } as const;
  const details = { user_id: ADA };
  assert.equal(keyOf('session.revoked', { target: session, details }), 'session.revoked.self');
  assert.equal(keyOf('factor.removed', { details: { user_id: GRACE } }), 'factor.removed');
});

test('A rejected sign-in shows the user or the identifier, the reason, the count, the device and the address', () => {
  const details = {
    reason: 'secret_wrong',
    identifier: null,
    browser: 'Chrome',
    system: 'Windows',
  };
  const failed = { ...ENTRY, action: 'auth.login_failed', actor: ANONYMOUS, count: 2 } as const;
  const user = { kind: 'user', id: ADA } as const;
  const known = sentenceOfEntry({ ...failed, target: user, details });
  assert.equal(known.key, 'auth.login_failed');
  assert.deepEqual([known.face, idsIn(known).includes(ADA)], [{ id: ADA, usual: undefined }, true]);
  assert.deepEqual(known.details, [
    { words: 'refused.secret_wrong' },
    { times: 2 },
    { device: ['Chrome', 'Windows'] },
    { text: '203.0.113.7' },
  ]);
  const unknown = { kind: 'identifier', id: null } as const;
  const typed = { reason: 'identifier_unknown', identifier: 'z…@example.com' };
  const stranger = sentenceOfEntry({ ...failed, target: unknown, details: typed });
  assert.equal(stranger.key, 'auth.login_failed.unknown');
  assert.deepEqual(stranger.places['name'], { text: 'z…@example.com' });
});

test('A sentence about an agent that acts for a user names both', () => {
  const agent = 'service:01m818y430f26s2vf3yj6pjnc7';
  const actor = { ...OLIVIA, kind: 'delegate', id: agent, on_behalf_of: ADA } as const;
  const sentence = sentenceOfEntry({ ...ENTRY, action: 'workspace.updated', actor });
  assert.deepEqual(sentence.places['actor'], { id: agent, usual: undefined });
  assert.deepEqual(sentence.details, [{ for: { id: ADA, usual: undefined } }]);
  assert.ok(idsIn(sentence).includes(ADA));
});

test('A sentence about a change names the kind of record whose form has the fields', () => {
  const details = { fields: ['redirect_uris', 'roles'] };
  const change = { ...ENTRY, action: 'client.updated', details } as const;
  assert.deepEqual(sentenceOfEntry(change).details, [{ fields: ['redirect_uris'], of: 'client' }]);
});

test('A sentence about work across tenants names what was done, the tenant, and the reason of the operator', () => {
  const acme = { kind: 'tenant', id: 'org_acme' } as const;
  const installation = { kind: 'installation', id: null } as const;
  const cases = [
    ['list tenants', installation, 'system.work.list', undefined],
    ['create tenant acme', installation, 'system.work.create', undefined],
    ['read tenant org_acme', acme, 'system.work.read', undefined],
    ['try a change of tenant org_acme', acme, 'system.work.try', undefined],
    [
      'impersonate in org_acme: ticket 7: login',
      acme,
      'system.work.impersonate',
      'ticket 7: login',
    ],
    ['list users of org_acme', acme, 'system.work.records', undefined],
    ['rotate the signing key of org_acme', acme, 'system.work.rotate', undefined],
    ['recover from a backup', installation, 'system.work', 'recover from a backup'],
  ] as const;
  for (const [reason, target, key, why] of cases) {
    const details = { reason };
    const sentence = sentenceOfEntry({
      ...ENTRY,
      action: 'system.work',
      target,
      details,
      count: 1,
    });
    assert.equal(sentence.key, key, reason);
    assert.deepEqual(sentence.details, why === undefined ? [] : [{ text: why }], reason);
    if (target === acme)
      assert.deepEqual(sentence.places['target'], { id: 'org_acme', usual: 'org_acme' });
    if (key === 'system.work.create') assert.deepEqual(sentence.places['name'], { text: 'acme' });
  }
});

test('Each reason for work across tenants has a sentence of its own', () => {
  for (const reason of SYSTEM_WORK) {
    const recorded = reason.replaceAll(/\{\w+\}/g, 'org_acme');
    const { key } = workOf(recorded);
    assert.notEqual(key, 'system.work', `Add a sentence for “${reason}” to system-work.ts.`);
  }
});

test('Each reason of a rejected sign-in has words', () => {
  const expected = {
    mfa_required: 'refused.mfa_required',
    totp_wrong: 'refused.totp',
    recovery_code_wrong: 'refused.recovery',
    code_ended: 'refused.code',
    code_throttled: 'refused.throttled',
    link_wrong: 'refused.link',
    passkey_unknown: 'refused.passkey',
    passkey_counter: 'refused.passkey_copy',
    provider_email_taken: 'refused.provider',
    something_new: 'refused.other',
  };
  for (const [reason, key] of Object.entries(expected)) assert.equal(refusalOf(reason), key);
});
