import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { html, PageTemplate, pageHeaders, script } from './html.ts';

const POLICY = { scripts: true } as const;

function render(name: string) {
  return html`<p title="${name}">日本語 <b>${name}</b></p>
    ${script('1')}`;
}

describe('a page template', () => {
  test('A filled page has the same bytes and headers as the page rendered with the values', () => {
    const template = new PageTemplate(['name'], (markerOf) => render(markerOf('name')));
    for (const name of ['Ada', '', '<script>&"', 'العربية']) {
      const page = template.insert({ name: html`${name}` });
      const rendered = render(name);
      assert.equal(page.bytes.toString(), rendered.html);
      assert.deepEqual(page.headersFor(POLICY), pageHeaders(POLICY, rendered.inline));
    }
  });

  test('A filled page has the headers of the policy that it is sent with', () => {
    const template = new PageTemplate(['name'], (markerOf) => render(markerOf('name')));
    const page = template.insert({ name: html`Ada` });
    assert.match(page.headersFor(POLICY)['content-security-policy'], /script-src/);
    assert.doesNotMatch(page.headersFor({})['content-security-policy'], /script-src/);
  });
});
