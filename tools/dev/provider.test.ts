import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expectStatus } from '../../tests/harness/http.ts';
import { type Keywright, startKeywright } from '../../tests/harness/keywright.ts';
import {
  addProvider,
  comeBack,
  flowStep,
  goToProvider,
  handoffOf,
  startUpstreamFlow,
  UPSTREAM_CONFIG,
} from '../../tests/harness/upstream.ts';
import { CLIENT_ID, PEOPLE, startDemoProvider } from './provider.ts';

let keywright: Keywright;
let demo: Awaited<ReturnType<typeof startDemoProvider>>;

before(async () => {
  demo = await startDemoProvider(0);
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: 'localhost', KEYWRIGHT_BASE_URL: 'http://localhost' },
  });
});
after(async () => {
  demo.close();
  await keywright.close();
});

test('A developer signs in as a person of the demo provider', async () => {
  const tenant = await keywright.tenant('demo', { config: UPSTREAM_CONFIG });
  const { issuer } = demo.provider;
  const fields = { client_id: CLIENT_ID, client_secret: undefined };
  const record = await addProvider(tenant, { issuer, clientSecret: '' }, fields);
  const flow = await startUpstreamFlow(tenant);
  const page = await fetch(await goToProvider(tenant, flow, record));
  const [, link = ''] = /href="([^"]+)">Ada Lovelace/.exec(await page.text()) ?? [];
  const redirect = await fetch(new URL(link.replaceAll('&amp;', '&'), issuer), {
    redirect: 'manual',
  });
  const back = await comeBack(tenant, new URL(redirect.headers.get('location') ?? ''));
  const body = { handoff: handoffOf(back) };
  const { user } = expectStatus(200, await flowStep(tenant, flow, 'oauth/finish', body));
  assert.equal(user?.identifiers[0]?.identifier, PEOPLE[0].email);
});

test('The demo provider redirects only to this machine', async () => {
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: 'https://evil.example.com/',
    sub: '1',
  });
  const answer = await fetch(`${demo.provider.issuer}/authorize?${query.toString()}`, {
    redirect: 'manual',
  });
  assert.equal(answer.status, 400);
});
