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
import { ACCESS_SETUPS, ACCOUNT_SETUPS } from './error-examples/accounts.ts';
import { OAUTH_SETUPS, TENANT_SETUPS } from './error-examples/settings.ts';
import type { Place, Setup, Setups } from './error-examples/setup.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const SETUPS: Setups = { ...ACCESS_SETUPS, ...ACCOUNT_SETUPS, ...TENANT_SETUPS, ...OAUTH_SETUPS };

/** The examples that are not replayed, and why. */
const NOT_REPLAYED: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH_SESSION_INVALID: 'Needs an application that shows its own login.',
  DESTINATION_REFUSED: 'Needs a provider of text messages.',
  DOMAIN_OF_OTHER_PROVIDER: 'Needs a verified domain of another identity provider.',
  FEEDBACK_REFUSED: 'Needs the feedback URL of a mail provider.',
  IDENTITY_TAKEN: 'Needs a login at an identity provider.',
  INSUFFICIENT_AUTHORIZATION: 'Needs an application that shows its own login.',
  INTERNAL: 'Needs a fault of the service.',
  ISSUER_ELSEWHERE: 'Needs a tenant with another issuer.',
  LAST_LOGIN_METHOD: 'Needs a login at an identity provider.',
  PROVIDER_REFUSED: 'Needs a login at an identity provider.',
  REDIRECT_TO_WEB: 'Needs an application that shows its own login.',
  REQUEST_OBJECT_INVALID: 'Needs an application with a key.',
  RETURN_URL_UNKNOWN: 'Needs a login at an identity provider.',
  TOO_BUSY: 'Needs a service whose queue of passwords is full.',
  TOO_MANY_CLIENTS: 'Needs 20,000 applications.',
  TOO_MANY_INCOMPLETE_REQUESTS: 'Needs 64 MiB of incomplete requests.',
  UNAVAILABLE: 'Needs a service without a database, or with too many streams.',
};

let keywright: Keywright;
let sink: MailSink;
let place: Place;
let tenants = 0;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const acme = await keywright.tenant('acme');
  const newTenant = (config: object = {}): Promise<TestTenant> => {
    tenants += 1;
    return keywright.tenant(`acme-${tenants}`, { config });
  };
  place = { keywright, acme, newTenant, sink };
});
after(async () => {
  await keywright.close();
  await sink.close();
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
  return keywright.request<ErrorBody>(method, fill(path), options);
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
      const { flow: _flow, ...body } = answer.body as ErrorBody & { readonly flow?: unknown };
      assert.deepEqual(body, JSON.parse(fill(JSON.stringify(expected))));
    });
  }

  test('Examples that are not replayed have no setup', () => {
    for (const code of Object.keys(SETUPS) as ErrorCode[]) {
      assert.equal(NOT_REPLAYED[code], undefined, code);
    }
  });
});
