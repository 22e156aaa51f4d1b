import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { html } from '../http/pages/html.ts';
import { EN } from './en.ts';
import { formatsOf } from './formats.ts';
import { fillMessage, parseMessage } from './message.ts';
import { loadTexts } from './load.ts';

const PLAIN = {
  literal: (text: string) => text,
  value: (value: string | number) => String(value),
  tag: (_name: string, parts: readonly string[]) => parts.join(''),
};

function namesIn(message: string): string[] {
  return [...message.matchAll(/\{([a-z_]+)[,}]/g)].map(([, name = '']) => name);
}

describe('a text', () => {
  test('reads as another implementation of ICU messages writes it, for every count', () => {
    const formats = formatsOf('en');
    for (const [key, message] of Object.entries(EN)) {
      const counts = message.includes('plural') ? [0, 1, 2, 3, 11, 100, 1000] : [0];
      for (const count of counts) {
        const names = namesIn(message).map((name) => [name, name === 'minutes' ? count : 'Ada']);
        const values = Object.fromEntries(names) as Record<string, string | number>;
        const filled = fillMessage(parseMessage(message), values, formats, PLAIN).join('');
        const plain = {
          b: (parts: string[]) => parts.join(''),
          link: (parts: string[]) => parts.join(''),
        };
        const expected = new IntlMessageFormat(message, 'en').format({ ...values, ...plain });
        assert.equal(filled, String(expected), `${key}, ${count}`);
      }
    }
  });

  test('escapes its values, and keeps parts of a page', async () => {
    const texts = await loadTexts();
    const client = '<b onclick="x">&';
    assert.equal(
      texts.html('login.lead', { client }).html,
      'to continue to <b>&lt;b onclick=&quot;x&quot;&gt;&amp;</b>',
    );
    const identifier = html`<i>${'a<b'}</i>`;
    const { html: shown } = texts.html('consent.lead', { identifier, tenant: '{x}' });
    assert.equal(shown, 'You are <i>a&lt;b</i> at {x}.');
    assert.equal(texts.text('consent.title', { client: '<b>' }), 'Let <b> use your account?');
  });

  test('links to where the service says', async () => {
    const texts = await loadTexts();
    const link = { id: 'leave', href: 'https://a.example/?x="1' };
    assert.equal(
      texts.html('leave.back', { host: 'a.example', link }).html,
      'You return to <a id="leave" href="https://a.example/?x=&quot;1">a.example</a>.',
    );
  });
});
