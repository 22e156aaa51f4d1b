import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SigningKey, Webhook } from '@keywright/sdk';
import { linesOf } from './attention.ts';

const NOW = Date.parse('2027-06-01T12:00:00Z');

const KEY: SigningKey = {
  id: 'key_01m81e4vr3f7k2m9x5q0t6w8za',
  tenant_id: 'org_acme',
  algorithm: 'EdDSA',
  public_key: '',
  is_active: true,
  state: 'current',
  created_at: '2027-05-01T12:00:00Z',
  signs_from: '2027-05-01T12:00:00Z',
  tokens_until: null,
};
const HOOK: Webhook = {
  id: 'hook:01m81e4vr3f7k2m9x5q0t6w8za',
  tenant_id: 'org_acme',
  url: 'https://hooks.example.com',
  events: [],
  is_active: true,
  disabled_reason: null,
  failing_since: null,
  overlap_ends_at: null,
  created_at: '2027-05-01T12:00:00Z',
};
const FINE = {
  keys: [KEY],
  webhooks: [HOOK, { ...HOOK, is_active: false }],
  administrators: 0,
  messages: 0,
  role: 'admin',
  now: NOW,
};

const said = (data: Partial<typeof FINE>) =>
  linesOf({ ...FINE, ...data }).map(({ kind, count, to }) => `${kind} ${count} ${to}`);

it('The overview reports nothing where there is nothing to do, or where the caller is not permitted to know', () => {
  assert.deepEqual(linesOf(FINE), []);
  const unknown = { keys: undefined, webhooks: undefined } as const;
  assert.deepEqual(
    linesOf({ ...FINE, ...unknown, administrators: undefined, messages: undefined }),
    [],
  );
});

it('The overview reports a key that signed for long, and one that signs no more while its tokens live', () => {
  const old = { ...KEY, signs_from: '2026-06-30T12:00:00Z' };
  const previous = { ...KEY, state: 'previous', tokens_until: '2027-06-02T00:00:00Z' } as const;
  assert.deepEqual(said({ keys: [old, previous] }), ['keyEnds 1 /keys', 'keyOld 1 /keys']);
  assert.deepEqual(said({ keys: [{ ...old, signs_from: '2026-07-02T12:00:00Z' }] }), []);
  const replaced = { ...old, tokens_until: '2027-06-02T12:10:00Z' };
  assert.deepEqual(said({ keys: [replaced] }), [], 'another key follows already');
  const over = { ...previous, tokens_until: '2027-06-01T11:00:00Z' };
  assert.deepEqual(said({ keys: [over] }), []);
});

it('The overview reports failing webhooks and those disabled for it, and links a single one directly', () => {
  const disabled = { ...HOOK, is_active: false, disabled_reason: 'every delivery failed' };
  const failing = { ...HOOK, failing_since: '2027-06-01T10:00:00Z' };
  assert.deepEqual(said({ webhooks: [disabled, failing] }), [
    `hookDisabled 1 /webhooks/${HOOK.id}`,
    `hookFails 1 /webhooks/${HOOK.id}`,
  ]);
  assert.deepEqual(said({ webhooks: [failing, failing] }), ['hookFails 2 /webhooks']);
});

it('Administrators who never logged in, and messages that failed, lead to their filtered lists', () => {
  const lines = linesOf({ ...FINE, administrators: 2, messages: 3 });
  assert.deepEqual(lines, [
    {
      kind: 'administrator',
      count: 2,
      to: '/users',
      search: { role: 'admin', has_logged_in: 'false', is_active: 'true' },
    },
    { kind: 'message', count: 3, to: '/messages', search: { tab: 'log', status: 'failed' } },
  ]);
});
