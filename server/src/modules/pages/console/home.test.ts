import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

const linksIn = (page: string) => [...page.matchAll(/<h2><a href="([^"]+)"/g)].map(([, to]) => to);

/** Loads the page at this host. */
function open(host: string, headers: Readonly<Record<string, string>> = {}) {
  return keywright.request<string>('GET', '/', { host, headers });
}

test('The page at / links to the console, the account page, the reference and the documentation', async () => {
  const { status, text } = await open('localhost');
  assert.equal(status, 200);
  const base = 'https://id.example.com';
  assert.deepEqual(linksIn(text), [
    `${base}/console`,
    `${base}/account`,
    `${base}/reference`,
    `${base}/docs/`,
  ]);
});

test('The page at / of a tenant has its name and its languages, and leads to its account page', async () => {
  const domain = 'login.home.example.com';
  const tenant = await keywright.tenant('home', { name: 'Home Inc.', domains: [domain] });
  const { text } = await open(domain, { 'accept-language': 'fr' });
  assert.match(text, /<html lang="fr"/);
  assert.ok(text.includes('Home Inc.'));
  assert.ok(linksIn(text).includes(`https://id.example.com/t/${tenant.id}/account`));
});

test('The page at / of an unknown host is an error', async () => {
  const { status } = await open('unknown.example.com');
  assert.equal(status, 400);
});
