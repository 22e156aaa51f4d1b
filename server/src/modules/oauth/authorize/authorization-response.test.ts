import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redirectUrl } from './authorization-response.ts';

describe('the URL of a response', () => {
  test('The URL keeps the query of the redirect URI, and separates the parameters from it', () => {
    const parameters = new Map([['code', 'x']]);
    const addresses = {
      'https://app.example.com': 'https://app.example.com/?code=x',
      'https://app.example.com/cb': 'https://app.example.com/cb?code=x',
      'https://app.example.com/cb?': 'https://app.example.com/cb?code=x',
      'https://app.example.com/cb?a=b': 'https://app.example.com/cb?a=b&code=x',
      'https://app.example.com/cb?a=b?c': 'https://app.example.com/cb?a=b?c&code=x',
      'com.example.app:/cb': 'com.example.app:/cb?code=x',
      'com.example.app:cb?a=%20b': 'com.example.app:cb?a=%20b&code=x',
    };
    for (const [redirectUri, expected] of Object.entries(addresses)) {
      assert.equal(redirectUrl(redirectUri, parameters).href, expected);
    }
  });

  test('The URL carries every printable character of a state unchanged', () => {
    const state = String.fromCodePoint(...Array.from({ length: 95 }, (_, at) => 0x20 + at));
    for (const redirectUri of ['https://app.example.com/cb?a=b', 'com.example.app:/cb']) {
      const address = redirectUrl(redirectUri, new Map([['state', state]]));
      assert.equal(address.searchParams.get('state'), state);
      assert.equal(address.hash, '');
    }
  });

  test('The URL replaces half a surrogate pair, which has no encoding', () => {
    const parameters = new Map([['error_description', 'a\ud800b']]);
    const { searchParams } = redirectUrl('https://app.example.com/cb', parameters);
    assert.equal(searchParams.get('error_description'), 'a\ufffdb');
  });
});
