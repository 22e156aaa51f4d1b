import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matchesRedirectUri, objectionToRedirectUri, redirectOriginOf } from './client-rules.ts';

const KINDS = ['web', 'spa', 'native'] as const;

describe('a redirect URI', () => {
  const GOOD = [
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/callback?a=b',
    'https://app.example.com:8443/callback',
    'http://localhost/callback',
    'http://127.0.0.1:3000/callback',
    'http://[::1]:3000',
  ];
  for (const uri of GOOD) {
    test(`A redirect URI can be ${uri}`, () => {
      for (const kind of KINDS) assert.equal(objectionToRedirectUri(uri, kind), undefined);
    });
  }

  test('A redirect URI can have a custom scheme for native clients only', () => {
    const uri = 'com.example.app:/callback';
    assert.equal(objectionToRedirectUri(uri, 'native'), undefined);
    assert.match(objectionToRedirectUri(uri, 'web') ?? '', /https/);
    assert.match(objectionToRedirectUri(uri, 'spa') ?? '', /https/);
  });

  const BAD = [
    'http://app.example.com/',
    'http://127.0.0.1.evil.example/',
    'http://localhost:80@evil.example/',
    'http://localhost.evil.example/',
    'http://127.1/',
    'http://[::1].evil.example/',
    'https://app.example.com/#fragment',
    'https://app.example.com/#',
    'https://user@app.example.com/',
    'https://app.example.com@evil.example/',
    'https://app.example.com/a/../b',
    'https://app.example.com/a/%2e%2e/b',
    'https://app.example.com\\@evil.example/',
    'https://APP.example.com/',
    'https://app.example.com:443/',
    'https:app.example.com/',
    'https:///app.example.com/',
    'https://',
    'https://*.example.com\u0009/',
    'https://*.example.com/callback',
    'https://app.example.com/*',
    'https://app.example.com/callback?to=*',
    'http://127.0.0.1:3000/*',
    'com.example.app:/*',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/callback',
    'vbscript.x',
    '/callback',
    '//evil.example/',
    '',
  ];
  for (const uri of BAD) {
    test(`A redirect URI cannot be ${JSON.stringify(uri)}`, () => {
      for (const kind of KINDS) assert.ok(objectionToRedirectUri(uri, kind), kind);
    });
  }
});

describe('a requested redirect URI', () => {
  const registered = [
    'https://app.example.com/callback',
    'http://127.0.0.1/cb',
    'http://[::1]:1/cb',
  ];

  test('A requested redirect URI must be one of the registered ones, character by character', () => {
    for (const kind of KINDS) {
      for (const uri of registered) assert.ok(matchesRedirectUri(registered, kind, uri));
    }
    const others = [
      'https://app.example.com/callback/',
      'https://app.example.com/callback?',
      'https://app.example.com/Callback',
      'https://app.example.com/callback#x',
      'https://app.example.com:443/callback',
      'https://app.example.com/%63allback',
      'https://app.example.com',
      'https://evil.example/callback',
    ];
    for (const kind of KINDS) {
      for (const uri of others) assert.equal(matchesRedirectUri(registered, kind, uri), false, uri);
    }
  });

  test('A requested redirect URI can have another port at the loopback address, for native clients only', () => {
    const uris = ['http://127.0.0.1:49152/cb', 'http://[::1]:50000/cb', 'http://[::1]/cb'];
    for (const uri of uris) {
      assert.ok(matchesRedirectUri(registered, 'native', uri), uri);
      assert.equal(matchesRedirectUri(registered, 'web', uri), false, uri);
      assert.equal(matchesRedirectUri(registered, 'spa', uri), false, uri);
    }
    const others = [
      'http://localhost:49152/cb',
      'http://127.0.0.1:49152/cb2',
      'http://127.0.0.1:49152/',
      'http://127.0.0.1:49152@evil.example/cb',
      'http://127.0.0.1:x/cb',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1.evil.example:1/cb',
      'https://app.example.com:1/callback',
    ];
    for (const uri of others)
      assert.equal(matchesRedirectUri(registered, 'native', uri), false, uri);
  });
});

describe('the origin of a redirect URI', () => {
  for (const [uri, origin] of [
    ['https://app.example.com/callback?from=here', 'https://app.example.com'],
    ['https://app.example.com', 'https://app.example.com'],
    ['https://app.example.com:8443/callback', 'https://app.example.com:8443'],
    ['https://localhost/callback', 'https://localhost'],
    ['http://127.0.0.1:49152/callback', 'http://localhost'],
    ['http://[::1]/callback', 'http://localhost'],
    ['http://localhost:3000', 'http://localhost'],
    ['com.example.app:/callback', 'com.example.app:'],
    ['com.example.app://app.example.com/callback', 'com.example.app:'],
  ] as const) {
    test(`The origin of the redirect URI ${uri} is ${origin}`, () => {
      assert.equal(redirectOriginOf(uri), origin);
    });
  }
});
