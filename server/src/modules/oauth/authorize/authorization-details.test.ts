import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { ConsentRecord } from '@keywright/contract/records/consent';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import {
  ACCOUNTS,
  addBank,
  BANK,
  PAY,
  PAYMENT,
  TYPES,
} from '@keywright/tests/harness/authorization-details';
import {
  newClient,
  proofOf,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { Fapi2Party } from '@keywright/tests/harness/fapi2-party';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import type { Seen } from '@keywright/tests/harness/visitor';

const REFUSED = 'invalid_authorization_details';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let bankId: string;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('particular');
  user = await tenant.createUser();
  ({ id: bankId } = await addBank(tenant));
  client = await newClient(tenant, { authorization_details_types: TYPES });
});
after(() => keywright.close());

async function asAdmin(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return tenant.request<ErrorBody & { id: string }>(method, path, { token, ...(body && { body }) });
}

const newBrowser = () => new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);
const fieldsFor = (details: unknown, more: Readonly<Record<string, string>> = {}) => ({
  scope: 'openid offline_access',
  authorization_details: typeof details === 'string' ? details : JSON.stringify(details),
  ...more,
});
const returned = ({ redirectsTo }: Seen, name: string) => redirectsTo?.searchParams.get(name);

async function tokensFor(details: unknown, more = {}, of = client): Promise<ClientTokenAnswer> {
  return newBrowser().tokensFor(of, fieldsFor(details, more));
}

async function errorFor(details: unknown, more = {}, of = client): Promise<unknown> {
  return returned(await newBrowser().goThrough(requestOf(of, fieldsFor(details, more))), 'error');
}

describe('authorization_details', () => {
  test('Approved details are in the response, in the access token of their resource, and in its introspection (RFC 9396 §7, §9)', async () => {
    const tokens = await tokensFor([PAY]);
    assert.deepEqual(tokens.authorization_details, [PAY]);
    const claims = claimsOf(tokens.access_token);
    assert.equal(claims.aud, BANK);
    assert.deepEqual(claims.authorization_details, [PAY]);
    const path = `/t/${tenant.id}/oauth/introspect`;
    const introspected = async (token: string) => {
      const answer = await tenant.request<Record<string, unknown>>('POST', path, {
        rawBody: new URLSearchParams({ ...proofOf(client), token }).toString(),
        contentType: 'application/x-www-form-urlencoded',
      });
      return expectStatus(200, answer)['authorization_details'];
    };
    assert.deepEqual(await introspected(tokens.access_token), [PAY]);
    assert.deepEqual(await introspected(tokens.refresh_token ?? ''), [PAY]);
  });

  test('A client can push its details, and sign them as JSON (RFC 9396 §5)', async () => {
    const fields = { token_endpoint_auth_method: 'private_key_jwt' };
    const types = { authorization_details_types: ['payment_initiation'] };
    const party = await Fapi2Party.register({ keywright, tenant }, { ...fields, ...types });
    const browser = party.browser(user);
    const text = { authorization_details: JSON.stringify([PAY]) };
    const { code = '' } = await party.authorize(browser, party.request(text));
    const answer = expectStatus(200, await party.redeem(code));
    assert.deepEqual(answer.authorization_details, [PAY]);
    const claims = { authorization_details: [PAY] };
    const request = await party.signed(party.request(), claims);
    const signed = await party.authorize(browser, { request });
    const second = expectStatus(200, await party.redeem(signed['code'] ?? ''));
    assert.deepEqual(second.authorization_details, [PAY]);
    const bad = { authorization_details: JSON.stringify([{ type: 'unknown' }]) };
    const refused = await party.push(party.request(bad));
    assert.deepEqual([refused.status, refused.body.error], [400, REFUSED]);
  });

  test('Details have the fields of their type in its order, with every kind of value', async () => {
    const whole = {
      days: 3,
      instant: true,
      actions: ['status', 'initiate'],
      creditor: 'Bob',
      amount: { currency: 'CHF', value: '1' },
      type: 'payment_initiation',
    };
    const { authorization_details: granted } = await tokensFor([whole]);
    assert.deepEqual(granted, [whole]);
    const names = Object.keys(granted?.[0] ?? {});
    assert.deepEqual(names, ['type', 'amount', 'creditor', 'actions', 'instant', 'days']);
  });

  const bad: Readonly<Record<string, unknown>> = {
    'no JSON': '[{',
    'no list': PAY,
    'an empty list': [],
    'a list of texts': ['payment_initiation'],
    'a list of lists': [[PAY]],
    'no type': [{ amount: PAY.amount }],
    'an unknown type': [{ type: 'unknown' }],
    'a type in a list': [{ ...PAY, type: ['payment_initiation'] }],
    'an unknown field': [{ ...PAY, secret: 'x' }],
    'an unknown field within a field': [{ ...PAY, amount: { ...PAY.amount, tip: '1' } }],
    'the field __proto__': `[{"type":"payment_initiation","amount":{"value":"1","__proto__":{}}}]`,
    'a missing field': [{ type: 'payment_initiation' }],
    'a number for a text': [{ ...PAY, creditor: 7 }],
    'null for a text': [{ ...PAY, creditor: null }],
    'a text for a number': [{ ...PAY, days: '3' }],
    'a text for a yes or no': [{ ...PAY, instant: 'true' }],
    'a value that is none of the type': [{ ...PAY, amount: { value: '1', currency: 'XXX' } }],
    'several lines': [{ ...PAY, creditor: 'Bob\nAllow all' }],
    'a text of 201 characters': [{ ...PAY, creditor: 'x'.repeat(201) }],
    'an object that is too deep': [{ ...PAY, amount: { value: { value: '1' } } }],
    'nine of them': Array.from({ length: 9 }, () => ({ type: 'account_information' })),
    'more than 2,048 bytes': `${JSON.stringify([PAY])}${' '.repeat(2048)}`,
    'a deep nest': `${'['.repeat(900)}${']'.repeat(900)}`,
  };
  for (const [what, details] of Object.entries(bad)) {
    test(`Details with ${what} are refused (RFC 9396 §5)`, async () => {
      assert.equal(await errorFor(details), REFUSED);
    });
  }

  test('Details are refused if the client did not register their type, and without a scope', async () => {
    const other = await newClient(tenant, { authorization_details_types: ['account_information'] });
    assert.equal(await errorFor([PAY], {}, other), REFUSED);
    assert.equal(await errorFor([PAY], { scope: '' }), REFUSED);
  });

  test('Details apply only to their resource, even if the request names other resources', async () => {
    const issuer = `https://id.example.com/t/${tenant.id}`;
    const more = { resource: issuer };
    const both = requestOf(client, fieldsFor([PAY], more));
    const code = returned(await newBrowser().goThrough(both), 'code') ?? '';
    const tokens = expectStatus(200, await redeem(tenant, client, code, { resource: issuer }));
    assert.equal(tokens.authorization_details, undefined);
    assert.equal(claimsOf(tokens.access_token).authorization_details, undefined);
    const next = await refreshWith(tenant, client, tokens.refresh_token, { resource: BANK });
    assert.deepEqual(expectStatus(200, next).authorization_details, [PAY]);
    const elsewhere = { uri: 'https://other.example.com', name: 'Other' };
    expectStatus(201, await asAdmin('POST', '/resources', elsewhere));
    assert.equal(await errorFor([PAY], { resource: elsewhere.uri }), REFUSED);
  });

  test('Details can be narrowed at the token endpoint, but never widened (RFC 9396 §6)', async () => {
    const account = { type: 'account_information' };
    const narrow = (details: unknown) => ({ authorization_details: JSON.stringify(details) });
    const request = requestOf(client, fieldsFor([PAY, account]));
    const code = returned(await newBrowser().goThrough(request), 'code') ?? '';
    const wide = [
      [{ ...PAY, amount: { value: '99', currency: 'EUR' } }],
      [PAY, { ...PAY, creditor: 'Eve' }],
      [PAY, PAY],
      [account, PAY, account],
      [{ type: 'unknown' }],
      [],
      'x',
    ];
    for (const details of wide) {
      const refused = await redeem(tenant, client, code, narrow(details));
      assert.equal(oauthError(refused), `400 ${REFUSED} AUTHORIZATION_DETAILS_INVALID`);
    }
    const first = expectStatus(200, await redeem(tenant, client, code, narrow([account])));
    assert.deepEqual(first.authorization_details, [account]);
    assert.deepEqual(claimsOf(first.access_token).authorization_details, [account]);
    const token = first.refresh_token;
    for (const details of wide) {
      const refused = await refreshWith(tenant, client, token, narrow(details));
      assert.equal(oauthError(refused), `400 ${REFUSED} AUTHORIZATION_DETAILS_INVALID`);
    }
    const next = expectStatus(200, await refreshWith(tenant, client, token, narrow([PAY])));
    assert.deepEqual(next.authorization_details, [PAY]);
    const all = expectStatus(200, await refreshWith(tenant, client, next.refresh_token));
    assert.deepEqual(all.authorization_details, [PAY, account]);
  });

  test('Details cannot be added to a code or a refresh token of a login without them, nor to a token of an agent', async () => {
    const details = { authorization_details: JSON.stringify([PAY]) };
    const invalid = `400 ${REFUSED} AUTHORIZATION_DETAILS_INVALID`;
    const browser = newBrowser();
    const code = await browser.codeFor(client, { scope: 'openid offline_access' });
    assert.equal(oauthError(await redeem(tenant, client, code, details)), invalid);
    const { refresh_token: token } = expectStatus(200, await redeem(tenant, client, code));
    assert.equal(oauthError(await refreshWith(tenant, client, token, details)), invalid);
    const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
    const credentials = { client_id: agent.id, client_secret: key };
    const fields = { grant_type: 'client_credentials', ...credentials, ...details };
    assert.equal(oauthError(await postToken(tenant, fields)), invalid);
  });

  test('Details are not in tokens after their type was removed', async () => {
    const lost = { type: 'lost', name: 'Lost', description: 'Lost', fields: [] };
    const path = `/resources/${bankId}`;
    const types = (all: readonly object[]) => ({ authorization_details_types: all });
    expectStatus(200, await asAdmin('PATCH', path, types([PAYMENT, ACCOUNTS, lost])));
    const otherClient = await newClient(tenant, { authorization_details_types: ['lost'] });
    const tokens = await tokensFor([{ type: 'lost' }], {}, otherClient);
    assert.deepEqual(tokens.authorization_details, [{ type: 'lost' }]);
    expectStatus(200, await asAdmin('PATCH', path, types([PAYMENT, ACCOUNTS])));
    const next = expectStatus(200, await refreshWith(tenant, otherClient, tokens.refresh_token));
    assert.equal(next.authorization_details, undefined);
    assert.equal(await errorFor([{ type: 'lost' }], {}, otherClient), REFUSED);
  });
});

describe('the page that asks for authorization_details', () => {
  async function pageFor(details: unknown, of = client, more = {}): Promise<[UserBrowser, Seen]> {
    const browser = newBrowser();
    await browser.authorize(requestOf(of, fieldsFor(details, more)));
    const { identifier, password: secret } = user;
    return [browser, await browser.press('login', { identifier, secret })];
  }

  test('The page shows details in the words of their type', async () => {
    const said = (label: string, ...values: string[]) =>
      [`<dt>${label}</dt>`, ...values.map((value) => `<dd><bdi>${value}</bdi></dd>`)].join('');
    const details = { ...PAY, instant: false, actions: ['initiate', 'status'], days: 3 };
    const [, seen] = await pageFor([details]);
    const text = seen.text.replaceAll(/>\s+</g, '><');
    for (const words of [
      'Details',
      'Payment',
      'Acme Bank',
      'Pay once from one of your accounts',
      said('Amount, value', '12.50'),
      said('Amount, currency', 'EUR'),
      said('Immediately', 'No'),
      said('It may', 'initiate', 'status'),
      said('Days', '3'),
    ]) {
      assert.ok(text.includes(words), words);
    }
  });

  test('The page shows our own words in the language of the browser', async () => {
    const details = [{ ...PAY, instant: true }];
    for (const [locale, words] of [
      ['de', ['Details', 'Ja']],
      ['fr', ['Détails', 'Oui']],
      ['es', ['Detalles', 'Sí']],
      ['ja', ['詳細', 'はい']],
      ['ar', ['التفاصيل', 'نعم']],
    ] as const) {
      const [, { text }] = await pageFor(details, client, { ui_locales: locale });
      for (const word of words) assert.ok(text.includes(word), `${locale}: ${word}`);
    }
  });

  test('The page shows hostile values as isolated text', async () => {
    const creditor = '"><script>alert(1)</script><b>Eve';
    const [, { text }] = await pageFor([{ ...PAY, creditor }]);
    assert.ok(!text.includes('<script>alert'), text);
    const shown = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;b&gt;Eve';
    assert.ok(text.includes(`<bdi>${shown}</bdi>`), text);
  });

  test('The page appears each time, and the consent contains the allowed details until it is withdrawn', async () => {
    const otherClient = await newClient(tenant, {
      authorization_details_types: ['payment_initiation'],
    });
    const consents = async () => {
      const token = await tenant.adminToken();
      const path = `/consents?client_id=${otherClient.id}`;
      const answer = await tenant.request<{ items: ConsentRecord[] }>('GET', path, { token });
      return expectStatus(200, answer).items;
    };
    const [browser, page] = await pageFor([PAY], otherClient);
    assert.ok(page.actions.includes('allow'));
    assert.ok(returned(await browser.press('allow'), 'code'));
    const [consent] = await consents();
    assert.deepEqual(consent?.authorization_details, [PAY]);
    const again = await browser.authorize(requestOf(otherClient, fieldsFor([PAY])));
    assert.ok(again.actions.includes('allow'), 'the same payment is another one');
    const other = { ...PAY, creditor: 'Bob' };
    await browser.authorize(requestOf(otherClient, fieldsFor([other])));
    await browser.press('allow');
    assert.deepEqual((await consents())[0]?.authorization_details, [other]);
    const silent = await browser.authorize(
      requestOf(otherClient, fieldsFor([PAY], { prompt: 'none' })),
    );
    assert.equal(returned(silent, 'error'), 'consent_required');
    const plain = await browser.authorize(
      requestOf(otherClient, { scope: 'openid', resource: BANK }),
    );
    assert.ok(returned(plain, 'code'), 'without details the user is not asked');
    expectStatus(200, await asAdmin('DELETE', `/consents/${consent?.id}`));
    const [next] = [await browser.authorize(requestOf(otherClient, { scope: 'openid' }))];
    assert.ok(next?.actions.includes('allow'));
    await browser.press('allow');
    assert.deepEqual((await consents())[0]?.authorization_details, []);
  });

  test('The page does not appear for a first-party application, whose details are recorded', async () => {
    const types = { authorization_details_types: ['payment_initiation'] };
    const otherClient = await newClient(tenant, { ...types, first_party: true });
    const browser = newBrowser();
    const seen = await browser.goThrough(requestOf(otherClient, fieldsFor([PAY])));
    const code = returned(seen, 'code') ?? '';
    assert.deepEqual(
      expectStatus(200, await redeem(tenant, otherClient, code)).authorization_details,
      [PAY],
    );
    const token = await tenant.adminToken();
    const path = `/consents?client_id=${otherClient.id}`;
    const { items } = expectStatus(
      200,
      await tenant.request<{ items: ConsentRecord[] }>('GET', path, { token }),
    );
    assert.deepEqual(items[0]?.authorization_details, [PAY]);
  });

  test('A code with the maximum of details can be exchanged, in any script', async () => {
    const fields = Array.from({ length: 9 }, (_, index) => `f${index}`);
    const large = {
      type: 'large',
      name: 'Large',
      description: 'Large',
      fields: fields.map((name) => ({ name, label: name, kind: 'string' })),
    };
    await addBank(tenant, {
      uri: 'https://large.example.com',
      authorization_details_types: [large],
    });
    const otherClient = await newClient(tenant, { authorization_details_types: ['large'] });
    for (const value of ['x'.repeat(200), '\u8A9E'.repeat(67)]) {
      const details = {
        type: 'large',
        ...Object.fromEntries(fields.map((name) => [name, value])),
      };
      assert.ok(Buffer.byteLength(JSON.stringify([details])) > 1850);
      const most = { state: 's'.repeat(2000), nonce: 'n'.repeat(500) };
      const tokens = await tokensFor([details], most, otherClient);
      assert.deepEqual(tokens.authorization_details, [details]);
      const next = await refreshWith(tenant, otherClient, tokens.refresh_token);
      assert.deepEqual(expectStatus(200, next).authorization_details, [details]);
    }
  });
});
