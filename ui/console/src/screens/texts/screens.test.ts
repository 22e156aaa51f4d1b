import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupOf, pageOfText, TEXT_GROUPS } from './screens.ts';

it('Every text is on a screen, and shown on a page that has it if a preview can', () => {
  assert.equal(groupOf('login.title'), 'login');
  assert.equal(groupOf('step.totp'), 'steps');
  assert.equal(groupOf('security.passkeys'), 'account');
  assert.equal(groupOf('new_part.title'), 'account');
  assert.equal(pageOfText('login.title'), 'login');
  assert.equal(pageOfText('step.totp'), 'second_factor');
  assert.equal(pageOfText('step.new_password'), 'new_password');
  assert.equal(pageOfText('security.passkeys'), undefined);
});

it('No screen is without texts', () => {
  const keys = ['login.a', 'registration.a', 'step.a', 'totp.a', 'consent.a', 'logout.a', 'log.a'];
  const found = [...keys, 'mail.a', 'error.a'].map(groupOf);
  assert.deepEqual(found.toSorted(), [...TEXT_GROUPS].toSorted());
});
