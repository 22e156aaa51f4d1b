// The examples of the pages about error codes, sent to a service: each response is the one that its page shows.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exampleBody, exampleRequest, routeOf } from '@keywright/contract/error-example';
import { ERROR_PAGES, type ErrorPage } from '@keywright/contract/error-pages';
import { type ErrorBody, type ErrorCode, ERRORS } from '@keywright/contract/errors';
import { isPage } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { type Answer } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { type FakeProvider, startFakeProvider } from '../harness/upstream.ts';
import { ACCESS_SETUPS, ACCOUNT_SETUPS } from './error-examples/accounts.ts';
import { LOGIN_SETUPS, MESSAGE_SETUPS, STATE_SETUPS } from './error-examples/logins.ts';
import { OAUTH_SETUPS, TENANT_SETUPS } from './error-examples/settings.ts';
import type { Place, Setup, Setups } from './error-examples/setup.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const SETUPS: Setups = {
  ...ACCESS_SETUPS,
  ...ACCOUNT_SETUPS,
  ...LOGIN_SETUPS,
  ...MESSAGE_SETUPS,
  ...STATE_SETUPS,
  ...TENANT_SETUPS,
  ...OAUTH_SETUPS,
};

/** The examples that no sequence of requests causes here, and what covers their codes. */
const NOT_REPLAYED: Readonly<Partial<Record<ErrorCode, string>>> = {
  INTERNAL: 'Needs a fault of the service; signing-keys.test.ts compares the whole body.',
  TOO_MANY_INCOMPLETE_REQUESTS:
    'Needs 64 MiB of incomplete bodies; http/server.test.ts sends them.',
};
/** Fields of logins that differ in each response. */
const OF_LOGINS = new Set(['flow', 'auth_session', 'needs', 'request_uri', 'expires_in']);

let keywright: Keywright;
let sink: MailSink;
let provider: FakeProvider;
let place: Place;
let tenants = 0;

before(async () => {
  sink = await startMailSink();
  provider = await startFakeProvider();
  const env = {
    ...mailThrough(sink),
    KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
    KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: '1',
  };
  keywright = await startKeywright({ clock: 'fake', env });
  provider.now = () => keywright.clock.now().getTime();
  const acme = await keywright.tenant('acme');
  const newTenant = (config: object = {}): Promise<TestTenant> => {
    tenants += 1;
    return keywright.tenant(`acme-${tenants}`, { config });
  };
  place = { keywright, acme, newTenant, sink, provider };
});
after(async () => {
  await keywright.close();
  await Promise.all([sink.close(), provider.close()]);
});

/** Replaces placeholders with their values. */
type Fill = (text: string) => string;

async function fillOf({ tenant = place.acme, token, values = {} }: Setup): Promise<Fill> {
  const all = Object.entries({
    ...values,
    '<token>': token ?? (await tenant.adminToken()),
    org_acme: tenant.id,
  });
  return (text) => all.reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
}

async function replay(page: ErrorPage, setup: Setup, fill: Fill): Promise<Answer<ErrorBody>> {
  const { method, path, headers, form, body } = exampleRequest(page.example, ROUTES);
  const fields = Object.entries(form).map(([name, value]) => [name, fill(value)]);
  const isForm = fields.length > 0;
  const sent = isForm ? new URLSearchParams(fields).toString() : (setup.file ?? body);
  const rawBody = setup.file === undefined && !isForm && sent !== undefined ? fill(sent) : sent;
  const options = {
    host: 'id.example.com',
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, fill(value)]),
    ),
    contentType: isForm ? 'application/x-www-form-urlencoded' : null,
    ...(rawBody === undefined ? {} : { rawBody }),
  };
  for (let count = 1; count < (setup.times ?? 1); count += 1) {
    await keywright.request(method, fill(path), options);
  }
  const send = () => keywright.request<ErrorBody>(method, fill(path), options);
  return setup.while === undefined ? send() : setup.while(send);
}

describe('the example of an error page', () => {
  for (const code of CODES.filter((each) => NOT_REPLAYED[each] === undefined)) {
    test(`The request in the example of ${code} gets the response that the page shows`, async () => {
      const page = ERROR_PAGES[code];
      const setup = (await SETUPS[code]?.(place)) ?? {};
      const fill = await fillOf(setup);
      const answer = await replay(page, setup, fill);
      const expected = exampleBody(code, page, ROUTES);
      assert.equal(answer.status, ERRORS[code].status, answer.text);
      const route = routeOf(page.example, ROUTES);
      if (expected === undefined || (route && isPage(route))) {
        assert.ok(answer.text.includes(code), answer.text);
        return;
      }
      const fields = Object.entries(answer.body).filter(([name]) => !OF_LOGINS.has(name));
      assert.deepEqual(Object.fromEntries(fields), JSON.parse(fill(JSON.stringify(expected))));
    });
  }

  test('Examples that are not replayed have no setup', () => {
    for (const code of Object.keys(SETUPS) as ErrorCode[]) {
      assert.equal(NOT_REPLAYED[code], undefined, code);
    }
  });
});
