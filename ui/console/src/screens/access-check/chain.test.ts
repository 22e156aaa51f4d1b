import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chainOf } from './chain.ts';

const QUESTION = { subject: 'user:1', scope: 'read:users', workspace: '' };
const GRANT = { kind: 'role', name: 'reader', scope: 'read:users', covered_by: 'read:*' } as const;
const MISSING = { code: 'scope_missing', detail: 'Not held.', scopes: ['read:users'] } as const;
const INACTIVE = { code: 'user_inactive', detail: 'Not active.' } as const;
const statesOf = (...args: Parameters<typeof chainOf>) =>
  chainOf(...args).map(({ kind, state }) => `${kind} ${state}`);

describe('the chain of an explanation', () => {
  it('The chain of an explanation holds from the subject through the grant to the permission', () => {
    const explanation = { allowed: true, missing: [], grants: [GRANT], removals: [], reasons: [] };
    assert.deepEqual(statesOf(QUESTION, explanation), [
      'subject holds',
      'grant holds',
      'scope holds',
    ]);
  });

  it('The chain of an explanation is refused by one link, and no link behind it is reached', () => {
    const missing = { allowed: false, missing: ['read:users'], grants: [], removals: [] };
    assert.deepEqual(statesOf(QUESTION, { ...missing, reasons: [MISSING] }), [
      'subject holds',
      'grant refuses',
      'scope open',
    ]);
    assert.deepEqual(statesOf(QUESTION, { ...missing, reasons: [INACTIVE, MISSING] }), [
      'subject refuses',
      'grant open',
      'scope open',
    ]);
  });

  it('The chain of an explanation has the requested workspace, with its reasons', () => {
    const reason = { code: 'workspace_inactive', detail: 'Not active.' } as const;
    const refused = {
      allowed: false,
      missing: [],
      grants: [GRANT],
      removals: [],
      reasons: [reason],
    };
    const chain = chainOf({ ...QUESTION, workspace: 'ws_lab' }, refused);
    assert.deepEqual(
      chain.map(({ kind, state, reasons }) => [kind, state, reasons.length]),
      [
        ['subject', 'holds', 0],
        ['workspace', 'refuses', 1],
        ['grant', 'open', 0],
        ['scope', 'open', 0],
      ],
    );
  });
});
