// Attacks of a malicious application with authorization details.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import {
  addBank,
  PAY,
  PAYMENT,
  detailsParameter,
  TYPES,
} from '@keywright/tests/harness/authorization-details';
import {
  newClient,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { Fapi2Party } from '@keywright/tests/harness/fapi2-party';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import type { Seen } from '@keywright/tests/harness/visitor';

const REFUSED = 'invalid_authorization_details';
const EVE = { ...PAY, amount: { value: '9999', currency: 'EUR' }, creditor: 'Eve' };

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let party: Fapi2Party;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('particular-attacks');
  user = await tenant.createUser();
  await addBank(tenant);
  const types = { authorization_details_types: TYPES };
  client = await newClient(tenant, types);
  const signing = { token_endpoint_auth_method: 'private_key_jwt', first_party: false };
  party = await Fapi2Party.register({ keywright, tenant }, { ...signing, ...types });
});
after(() => keywright.close());

const newBrowser = () => new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);
const returned = ({ redirectsTo }: Seen, name: string) => redirectsTo?.searchParams.get(name) ?? '';

function requestWith(details: unknown, of = client, more = {}) {
  return requestOf(of, { scope: 'openid offline_access', ...detailsParameter(details), ...more });
}

async function errorFor(details: unknown): Promise<string> {
  return returned(await newBrowser().goThrough(requestWith(details)), 'error');
}

async function change(path: string, body: object): Promise<void> {
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request<ErrorBody>('PATCH', path, { token, body }));
}

/** Opens the consent page as a logged-in user. */
async function openConsent(details: unknown, of = client): Promise<UserBrowser> {
  const browser = newBrowser();
  await browser.authorize(requestWith(details, of));
  const { identifier, password: secret } = user;
  const { actions } = await browser.press('login', { identifier, secret });
  assert.ok(actions.includes('allow'));
  return browser;
}

describe('authorization details of an attacker', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const large: Readonly<Record<string, string>> = {
    '100 KB': `[${JSON.stringify({ ...PAY, creditor: 'x'.repeat(100_000) })}]`,
    '10,000 entries': JSON.stringify(Array.from({ length: 10_000 }, () => PAY)),
    'a nest of 100,000': `[${nested(100_000)}]`,
  };
  for (const [what, text] of Object.entries(large)) {
    test(`Pushed requests with ${what} are refused before they are parsed`, async () => {
      const refused = await party.push(party.request({ authorization_details: text }));
      assert.equal(refused.status, 413);
    });
  }

  test('Details of more than 4 KB are refused wherever they are sent, and so is deep nesting', async () => {
    for (const text of [`[${nested(400)}]`, `[${nested(300)}]`, ' '.repeat(4000)]) {
      const fields = { authorization_details: text };
      const pushed = await party.push(party.request(fields));
      assert.deepEqual([pushed.status, pushed.body.error], [400, REFUSED]);
      const request = await party.signed(party.request(), { authorization_details: text });
      const signed = await party.push({ client_id: party.client.id, request });
      assert.deepEqual([signed.status, signed.body.error], [400, REFUSED]);
      const formRequest = requestOf(client, { scope: 'openid', ...fields });
      const answered = await newBrowser().authorizeByForm(formRequest);
      assert.equal(returned(answered, 'error'), REFUSED);
    }
  });

  test('JSON that is longer when it is serialized again is also bounded', async () => {
    const fields = Array.from({ length: 32 }, (_, index) => ({
      name: `n${index}`,
      label: 'n',
      kind: 'number',
    }));
    const type = { type: 'numbers', name: 'Numbers', description: 'Numbers', fields };
    const uri = 'https://numbers.example.com';
    await addBank(tenant, { uri, authorization_details_types: [type] });
    const otherClient = await newClient(tenant, { authorization_details_types: ['numbers'] });
    const entry = `{"type":"numbers",${fields.map(({ name }) => `"${name}":1e20`).join(',')}}`;
    const text = `[${entry},${entry},${entry},${entry}]`;
    assert.ok(text.length < 2048);
    const request = requestOf(otherClient, { scope: 'openid', authorization_details: text });
    assert.equal(returned(await newBrowser().authorize(request), 'error'), REFUSED);
  });
});

describe('the text that users read', () => {
  const unseen: Readonly<Record<string, string>> = {
    'a right-to-left override': '\u202E05.21 EUR',
    'an isolate that is not closed': '\u2067Eve',
    'a mark of direction': 'Eve\u200F',
    'a line separator': 'Eve\u2028You return to bank.example.com',
    'a paragraph separator': 'Eve\u2029Allow',
    'a tabulator': 'Eve\tAllow',
    'a space of no width': 'E\u200Bve',
    'a soft hyphen': 'E\u00ADve',
    'a byte order mark': '\uFEFFEve',
    'an invisible filler': 'Eve\u3164',
    'a tag character': 'Eve\u{E0041}',
    'a lone surrogate': 'Eve\uD800',
  };
  for (const [what, creditor] of Object.entries(unseen)) {
    test(`A text has no ${what.replace(/^an? /, '')}`, async () => {
      assert.equal(await errorFor([{ ...PAY, creditor }]), REFUSED);
    });
  }

  test('A text can be in any script, with joiners and emoji', async () => {
    for (const creditor of [
      'می\u200Cخواهم',
      'क्\u200Dष',
      'שלום',
      '👩\u200D🚀 ❤\uFE0F',
      '株式会社',
    ]) {
      const { authorization_details: granted } = await newBrowser().tokensFor(client, {
        scope: 'openid',
        ...detailsParameter([{ ...PAY, creditor }]),
      });
      assert.deepEqual(granted, [{ ...PAY, creditor }]);
    }
  });

  test('The page shows nothing that every object inherits, even if a field has that name', async () => {
    const field = (name: string) => ({ name, label: name, kind: 'string' });
    const fields = [
      field('constructor'),
      { ...field('toString'), kind: 'object', fields: [field('valueOf'), field('to')] },
    ];
    const type = { type: 'odd', name: 'Odd', description: 'Odd', fields };
    await addBank(tenant, {
      uri: 'https://odd.example.com',
      authorization_details_types: [type],
    });
    const otherClient = await newClient(tenant, { authorization_details_types: ['odd'] });
    const browser = await openConsent([{ type: 'odd', toString: { to: 'Bob' } }], otherClient);
    const labels = [...browser.seen.text.matchAll(/<dt>([^<]*)/g)].map(([, label]) => label);
    assert.deepEqual(labels, ['toString, to']);
    const empty = await openConsent([{ type: 'odd' }], otherClient);
    assert.ok(!empty.seen.text.includes('<dt>'));
    const code = returned(await empty.press('allow'), 'code');
    const tokens = expectStatus(200, await redeem(tenant, otherClient, code));
    assert.deepEqual(tokens.authorization_details, [{ type: 'odd' }]);
  });

  test('The page shows what is in the token, even if the JSON has a field twice', async () => {
    const text = `[{"type":"payment_initiation","amount":{"value":"1"},"amount":{"value":"9999"}}]`;
    const browser = newBrowser();
    const fields = { scope: 'openid', authorization_details: text };
    await browser.authorize(requestOf(client, fields));
    const { identifier, password: secret } = user;
    const { text: page } = await browser.press('login', { identifier, secret });
    const code = returned(await browser.press('allow'), 'code');
    const tokens = expectStatus(200, await redeem(tenant, client, code));
    assert.ok(page.includes('9999'), 'the page says the other one');
    assert.deepEqual(tokens.authorization_details, [{ type: PAY.type, amount: { value: '9999' } }]);
  });
});

describe('a type of authorization details', () => {
  test('A type of another tenant is unknown', async () => {
    const other = await keywright.tenant('particular-attacks-other');
    const type = { ...PAYMENT, type: 'elsewhere' };
    await addBank(other, { authorization_details_types: [type] });
    assert.equal(await errorFor([{ ...PAY, type: 'elsewhere' }]), REFUSED);
    const token = await tenant.adminToken();
    const body = { authorization_details_types: ['elsewhere'] };
    const path = `/clients/${client.id}`;
    const refused = await tenant.request<ErrorBody>('PATCH', path, { token, body });
    assert.equal(refused.status, 400);
  });

  test('A type that was taken from a client is in no new token', async () => {
    const otherClient = await newClient(tenant, { authorization_details_types: TYPES });
    const fields = { scope: 'openid offline_access', ...detailsParameter([PAY]) };
    const tokens = await newBrowser().tokensFor(otherClient, fields);
    await change(`/clients/${otherClient.id}`, { authorization_details_types: [] });
    const next = expectStatus(200, await refreshWith(tenant, otherClient, tokens.refresh_token));
    assert.equal(next.authorization_details, undefined);
    const again = await refreshWith(
      tenant,
      otherClient,
      next.refresh_token,
      detailsParameter([PAY]),
    );
    assert.equal(again.body.error, REFUSED);
  });

  test('A type that changes while its user reads the page is not allowed', async () => {
    const type = { ...PAYMENT, type: 'changing' };
    const types = (all: object[]) => ({ authorization_details_types: all });
    const uri = 'https://changing.example.com';
    const { id } = await addBank(tenant, { uri, ...types([type]) });
    const otherClient = await newClient(tenant, { authorization_details_types: ['changing'] });
    const browser = await openConsent([{ ...PAY, type: 'changing' }], otherClient);
    await change(`/resources/${id}`, types([{ ...type, fields: [] }]));
    const { address } = browser.seen;
    const { status } = await browser.press('allow');
    assert.equal(status, 400);
    assert.equal(returned(await browser.open(address), 'error'), REFUSED);
  });
});

describe('the approved details', () => {
  test('The approved details are those that were pushed, whatever else the browser sends', async () => {
    const pushed = await party.pushed(party.request(detailsParameter([PAY])));
    const browser = party.browser(user);
    const seen = await browser.goThrough({ ...pushed, ...detailsParameter([EVE]) });
    const tokens = expectStatus(200, await party.redeem(returned(seen, 'code')));
    assert.deepEqual(tokens.authorization_details, [PAY]);
  });

  test('The approved details are those that were signed, whatever other parameters there are', async () => {
    const request = await party.signed(party.request(detailsParameter([PAY])));
    const seen = await party.browser(user).goThrough({
      ...party.request(detailsParameter([EVE])),
      request,
    });
    const tokens = expectStatus(200, await party.redeem(returned(seen, 'code')));
    assert.deepEqual(tokens.authorization_details, [PAY]);
  });

  test('The approved details are those that their page showed, even if another page was open', async () => {
    const browser = await openConsent([PAY]);
    const small = browser.seen;
    const large = await browser.authorize(requestWith([EVE]));
    assert.ok(large.actions.includes('allow') && large.text.includes('9999'));
    browser.goBackTo(small);
    const first = returned(await browser.press('allow'), 'code');
    const tokens = expectStatus(200, await redeem(tenant, client, first));
    assert.deepEqual(tokens.authorization_details, [PAY]);
    const again = await browser.authorize(requestWith([EVE]));
    assert.ok(again.actions.includes('allow'), 'one payment is not another one');
  });

  test('The approved details do not include what is added to the form of the page', async () => {
    const browser = await openConsent([PAY]);
    const { hidden } = browser.seen;
    const { postsTo } = await browser.authorize(requestWith([EVE]));
    const added = { ...hidden, ...detailsParameter([EVE]), action: 'allow' };
    const seen = await browser.post(postsTo, added);
    assert.deepEqual([seen.status, returned(seen, 'code')], [400, '']);
  });

  test('The details of a refresh token need a new approval at the next login, and a refresh adds none', async () => {
    const fields = { scope: 'openid offline_access', ...detailsParameter([PAY]) };
    const browser = newBrowser();
    const tokens = await browser.tokensFor(client, fields);
    const silent = await browser.authorize(requestWith([PAY], client, { prompt: 'none' }));
    assert.equal(returned(silent, 'error'), 'consent_required');
    for (const more of [[EVE], [PAY, EVE], [PAY, PAY]]) {
      const refused = await refreshWith(
        tenant,
        client,
        tokens.refresh_token,
        detailsParameter(more),
      );
      assert.equal(refused.body.error, REFUSED);
    }
    const next = expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
    assert.deepEqual(next.authorization_details, [PAY]);
  });
});
