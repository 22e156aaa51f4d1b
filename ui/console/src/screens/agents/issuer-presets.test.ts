import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ISSUER_PRESETS, presetOf, trustOf } from './issuer-presets.ts';

const EMPTY = { issuer: ' https://ci.example.com', audience: 'https://id.example', subject: '' };

it('Each kind of trusted issuer asks for a subject or for claims, which identify the workload', () => {
  for (const preset of ISSUER_PRESETS) {
    const { subject, claims, issuer, issuerExample } = presetOf(preset);
    assert.ok(subject !== undefined || claims !== undefined, preset);
    for (const url of [issuer, issuerExample].filter((text) => text !== '')) {
      assert.equal(new URL(url).protocol, 'https:');
    }
  }
});

it('A trust has the claims that are filled in, and lets Kubernetes present a token again', () => {
  const claims = { repository: 'acme/shop ', ref: ' ', other: 'ignored' };
  assert.deepEqual(trustOf('github', { ...EMPTY, claims }), {
    issuer: 'https://ci.example.com',
    audience: 'https://id.example',
    claims: { repository: 'acme/shop' },
  });
  assert.deepEqual(trustOf('kubernetes', { ...EMPTY, subject: 'system:x', claims: {} }), {
    issuer: 'https://ci.example.com',
    audience: 'https://id.example',
    subject: 'system:x',
    single_use: false,
  });
});
