import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRedirectUri } from './redirect-check.ts';

const REGISTERED = [
  'https://app.example.com/callback?a=b',
  'http://127.0.0.1/cb',
  'http://[::1]:1/cb',
];
const web = { kind: 'web', redirect_uris: REGISTERED } as const;
const native = { kind: 'native', redirect_uris: REGISTERED } as const;

describe('a redirect URI that an application sends', () => {
  it('A redirect URI is accepted if it is registered, character by character', () => {
    for (const uri of REGISTERED) {
      assert.deepEqual(checkRedirectUri(web, uri), { outcome: 'accepted', nearest: uri });
    }
  });

  const DIFFERENT = {
    'http://app.example.com/callback?a=b': ['scheme'],
    'https://app.example.com.evil.example/callback?a=b': ['host'],
    'https://user@app.example.com/callback?a=b': ['user'],
    'https://app.example.com:443/callback?a=b': ['port'],
    'https://app.example.com/other?a=b': ['path'],
    'https://app.example.com/callback/?a=b': ['slash'],
    'https://app.example.com/callback': ['query'],
    'https://app.example.com/callback?a=c': ['query'],
    'https://app.example.com/callback?a=b#c': ['fragment'],
    'https://app.example.com/Callback?a=b': ['case'],
    'https://APP.example.com/callback?a=b': ['case'],
    'https://app.example.com:8443/?a=b': ['port', 'path'],
    'http://127.0.0.1:49152/cb': ['port'],
  } as const;
  for (const [uri, reasons] of Object.entries(DIFFERENT)) {
    it(`A redirect URI that is not registered is refused with the reason: ${uri}`, () => {
      const checked = checkRedirectUri(web, uri);
      assert.ok(checked.outcome === 'differs');
      assert.deepEqual(
        checked.differences.map(({ reason }) => reason),
        reasons,
      );
    });
  }

  it('A redirect URI is compared with the nearest registered one, and each difference is shown', () => {
    assert.deepEqual(checkRedirectUri(web, 'http://127.0.0.1:3000/cb'), {
      outcome: 'differs',
      nearest: 'http://127.0.0.1/cb',
      differences: [{ reason: 'port', sent: ':3000', registered: '' }],
    });
  });

  it('A redirect URI can have any port of the loopback address, for native clients only', () => {
    for (const uri of ['http://127.0.0.1:49152/cb', 'http://[::1]:50000/cb', 'http://[::1]/cb']) {
      assert.equal(checkRedirectUri(native, uri).outcome, 'anyPort', uri);
      assert.equal(checkRedirectUri(web, uri).outcome, 'differs', uri);
    }
    const refused = {
      'http://localhost:49152/cb': ['host'],
      'http://127.0.0.1:49152/cb2': ['path'],
      'http://127.0.0.1:80/cb': ['port'],
      'http://127.0.0.1:99999/cb': ['port'],
      'http://127.0.0.1:49152@evil.example/cb': ['user', 'host'],
      'https://app.example.com:1/callback?a=b': ['port'],
    };
    for (const [uri, reasons] of Object.entries(refused)) {
      const checked = checkRedirectUri(native, uri);
      assert.ok(checked.outcome === 'differs', uri);
      assert.deepEqual(
        checked.differences.map(({ reason }) => reason),
        reasons,
        uri,
      );
    }
  });

  it('A redirect URI is distinguished from text that is not an address', () => {
    assert.equal(checkRedirectUri(web, '/callback').outcome, 'notAddress');
    assert.equal(checkRedirectUri(web, ' https://app.example.com').outcome, 'notAddress');
    assert.equal(checkRedirectUri(web, 'https%3A%2F%2Fapp.example.com').outcome, 'encoded');
    const none = { kind: 'web', redirect_uris: [] } as const;
    assert.equal(checkRedirectUri(none, 'https://app.example.com/').outcome, 'noneRegistered');
  });

  it('A redirect URI can have a private-use scheme', () => {
    const app = { kind: 'native', redirect_uris: ['com.example.app:/callback'] } as const;
    assert.equal(checkRedirectUri(app, 'com.example.app:/callback').outcome, 'accepted');
    const checked = checkRedirectUri(app, 'com.example.app://callback');
    assert.ok(checked.outcome === 'differs');
    assert.deepEqual(
      checked.differences.map(({ reason }) => reason),
      ['scheme', 'host', 'path'],
    );
  });

  it('A redirect URI is never refused without a difference', () => {
    const app = {
      kind: 'native',
      redirect_uris: ['com.example.app:/cb', 'http://127.0.0.1/cb'],
    } as const;
    const strange = [
      'com.example.app:///cb',
      'http://@127.0.0.1/cb',
      'http://127.0.0.1:/cb',
      'http:127.0.0.1/cb',
    ];
    for (const uri of strange) {
      const checked = checkRedirectUri(app, uri);
      assert.ok(checked.outcome === 'differs' && checked.differences.length > 0, uri);
    }
  });
});
