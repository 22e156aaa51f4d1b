// The consent page, in its states by client and by the requested permissions.

import { registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import { register } from '../harness/registration.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import type { Seen, Visitor } from '../harness/visitor.ts';
import type { Texts } from './texts.ts';
import type { World } from './world.ts';

/** The parts of the enclosing walk that a walk through consents needs. */
interface Walking {
  readonly world: World;
  readonly tenant: TestTenant;
  readonly authorize: (
    parameters: Readonly<Record<string, string>>,
    browser?: Visitor,
  ) => Promise<Visitor>;
  readonly createUser: () => Promise<TestUser>;
  readonly keep: (name: string, browser: Visitor, step?: Promise<Seen>) => Promise<void>;
}

const SCOPE = 'openid profile email';
const CALLBACK = 'https://app.example.com/callback';
const NEW_CALLBACK = 'https://new.example.com/callback';

export async function walkConsents(walking: Walking): Promise<void> {
  const { world, tenant, authorize, createUser, keep } = walking;
  const { texts, documents, slug } = world;
  const show = async (state: string, parameters: Readonly<Record<string, string>>) => {
    const { identifier, password: secret } = await createUser();
    const browser = await authorize({ scope: SCOPE, ...parameters });
    await keep(`consentView ${state}`, browser, browser.press('login', { identifier, secret }));
  };
  await show('of a host', { ...documents.publish(texts.host, slug, texts.client) });
  const initiate_login_uri = `${new URL(CALLBACK).origin}/login`;
  const metadata = {
    client_name: texts.client,
    redirect_uris: [CALLBACK],
    initiate_login_uri,
  };
  const token = await tenant.adminToken();
  const { client_id } = expectStatus(201, await register(tenant, metadata, { token }));
  await show('not verified', { client_id });
  const stopped = { client_id, prompt: 'none' };
  await keep('stoppedView', await authorize(stopped));
  await keep('stoppedView form_post', await authorize({ ...stopped, response_mode: 'form_post' }));
  const elsewhere = { redirect_uri: NEW_CALLBACK };
  await keep('startAgainView not verified', await authorize({ client_id, ...elsewhere }));
  const registered = { name: texts.client, redirect_uris: [CALLBACK], initiate_login_uri };
  const client = { client_id: await registerClient(tenant, registered) };
  await keep('startAgainView', await authorize({ ...client, ...elsewhere }));
  await keep('confirmationView', await confirming(walking));
  await keep('consentView at a new address', await atNewAddress(walking));
  await addPayments(tenant, texts);
  const bank = await registerClient(tenant, {
    name: texts.client,
    redirect_uris: [CALLBACK],
    scopes: SCOPE.split(' '),
    authorization_details_types: ['payment', 'accounts'],
  });
  const { typed: to } = texts;
  const payment = {
    type: 'payment',
    amount: { value: '12.50', currency: 'EUR' },
    to,
    reference: ['2026-0042', '2026-0043'],
    instant: true,
  };
  const details = JSON.stringify([payment, { type: 'accounts' }]);
  await show('in particular', { client_id: bank, authorization_details: details });
}

/** Asked by an app on the device, with a login that was made for another application. */
async function confirming({ world, tenant, authorize, createUser }: Walking): Promise<Visitor> {
  const { identifier, password: secret } = await createUser();
  const browser = await authorize({});
  await browser.press('login', { identifier, secret });
  const client_id = await registerClient(tenant, {
    name: world.texts.client,
    kind: 'native',
    first_party: true,
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes: SCOPE.split(' '),
  });
  const redirect_uri = 'http://127.0.0.1:49152/callback';
  return authorize({ client_id, redirect_uri, scope: SCOPE }, browser);
}

/** A user who has authorized the application at another redirect URI. */
async function atNewAddress({ world, tenant, authorize, createUser }: Walking): Promise<Visitor> {
  const client_id = await registerClient(tenant, {
    name: world.texts.client,
    redirect_uris: [CALLBACK, NEW_CALLBACK],
    scopes: SCOPE.split(' '),
  });
  const { identifier, password: secret } = await createUser();
  const browser = await authorize({ client_id, scope: SCOPE });
  await browser.press('login', { identifier, secret });
  await browser.press('allow');
  return authorize({ client_id, redirect_uri: NEW_CALLBACK, scope: SCOPE }, browser);
}

/** A resource with types of authorization details, in the words of the tenant. */
async function addPayments(tenant: TestTenant, texts: Texts): Promise<void> {
  const { detailsType, tenant: name, provider } = texts;
  const payment = {
    type: 'payment',
    name: detailsType,
    description: `Pay once: ${detailsType}`,
    fields: [
      {
        name: 'amount',
        label: 'Amount',
        kind: 'object',
        fields: [
          { name: 'value', label: 'value', kind: 'string' },
          { name: 'currency', label: 'currency', kind: 'string' },
        ],
      },
      { name: 'to', label: provider, kind: 'string' },
      { name: 'reference', label: 'Reference', kind: 'strings' },
      { name: 'instant', label: 'Immediately', kind: 'boolean' },
    ],
  };
  const accounts = { type: 'accounts', name: 'Accounts', description: 'See them', fields: [] };
  const types = { authorization_details_types: [payment, accounts] };
  const body = { uri: 'https://bank.example.com', name, ...types };
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/resources', { token, body }));
}
