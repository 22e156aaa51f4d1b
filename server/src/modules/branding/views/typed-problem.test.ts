import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type Fail } from '@keywright/contract/errors';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { html } from '../../../platform/http/pages/html.ts';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { passwordFlaw } from '../../authentication/passwords/password-policy.ts';
import { typedProblem } from './page.ts';

const RULES = { password_min_length: 12, password_require_special: true };
const FINE = 'plum! harbour lantern';

const found = (breach?: 'breach' | 'list') => ({
  findBreach: async () => breach,
  names: ['Lovelace'],
});

const fail: Fail<'VALIDATION_FAILED'> = (code, options) => {
  throw new AppError(code, options);
};

function objectionTo(address: string): string | undefined {
  try {
    requireIdentifier(address, '/identifier', fail);
    return undefined;
  } catch (error) {
    return (error as AppError).options.errors?.[0]?.message;
  }
}

test('A page says in its own language what is wrong with a password or an address', async () => {
  const flaws = await Promise.all([
    passwordFlaw('short!', RULES, found()),
    passwordFlaw('x!'.repeat(1000), RULES, found()),
    passwordFlaw('a password of letters', RULES, found()),
    passwordFlaw('lovelace!lovelace', RULES, found()),
    passwordFlaw(FINE, RULES, found('list')),
    passwordFlaw(FINE, RULES, found('breach')),
  ]);
  const messages = [...flaws, objectionTo('ada at example')];
  for (const locale of TEXT_LOCALES) {
    const texts = await loadTexts(locale);
    const renderProblem = (message = '') => html`${typedProblem(message, texts)}`.html;
    const problems = messages.map(renderProblem);
    const general = problems.filter((problem) =>
      problem.startsWith(renderProblem('').slice(0, 10)),
    );
    assert.deepEqual(general, [], locale);
    assert.equal(new Set(problems).size, messages.length);
    assert.match(problems[0] ?? '', /12/);
  }
});

test('A problem that a page has no words for is marked as English', async () => {
  const said = html`${typedProblem('is odd', await loadTexts('de'))}`.html;
  assert.equal(said, 'Prüfen Sie Ihre Eingabe: <span lang="en" dir="ltr">is odd</span>.');
});
