// The network to the database is lost silently, as with a power failure, a partition or a moved address.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import { type Relay, relayTo } from '../harness/relay.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const LIMIT_MS = 1000;
const PEOPLE = 4;

let relay: Relay;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({
    env: { KEYWRIGHT_STATEMENT_TIMEOUT_MS: String(LIMIT_MS) },
    connectThrough: async (url) => {
      const through = await relayTo(url);
      relay = through.relay;
      return through.url;
    },
  });
  tenant = await keywright.tenant('cut-off', { config: { login_attempts_limit: 10_000 } });
});

after(async () => {
  await keywright.close();
  await relay.close();
});

interface Person {
  readonly body: { readonly identifier: string; readonly secret: string };
  /** The refresh token of the last response. */
  refreshToken: string;
  accessToken: string;
}

/** The deadlines of this service are short: on a busy machine, it takes some slow connections for silent ones. */
function untilAvailable<T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> {
  return until('the service is available', async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });
}

async function register(): Promise<Person> {
  const body = { identifier: newIdentifier(), secret: newPassword() };
  const tokens = expectStatus(
    200,
    await untilAvailable(() => {
      return tenant.request<TokenAnswer>('POST', '/auth/login', {
        body: { ...body, register: true },
      });
    }),
  );
  return { body, refreshToken: tokens.refresh_token, accessToken: tokens.access_token };
}

function refresh(person: Person) {
  const body = { refresh_token: person.refreshToken };
  return tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
}

async function isWell(): Promise<boolean> {
  return (await keywright.request('GET', '/health')).status === 200;
}

for (const [what, swallowsNew] of [
  ['and nothing gets through, until the network is back', true],
  ['and only new connections get through, as when the address has moved', false],
] as const) {
  describe(`when connections to the database fall silent, ${what}`, () => {
    let people: readonly Person[];

    before(async () => {
      people = await parallel(PEOPLE, register);
    });

    test('Requests that wait while database connections are silent get 503, and the service is not ready', async () => {
      if (swallowsNew) relay.swallowNew();
      relay.cutSilently();
      const [logins, refreshes, reads] = await Promise.all([
        Promise.all(people.map(({ body }) => tenant.request('POST', '/auth/login', { body }))),
        Promise.all(people.map(refresh)),
        Promise.all(
          people.map(({ accessToken: token }) => tenant.request('GET', '/me', { token })),
        ),
      ]);
      for (const answer of [...logins, ...refreshes, ...reads]) {
        // Once new connections succeed, requests sent slightly later are served.
        if (swallowsNew || answer.status !== 200) expectStatus(503, answer);
      }
      refreshes.forEach((answer, index) => {
        const person = people[index];
        if (person && answer.status === 200) person.refreshToken = answer.body.refresh_token;
      });
      if (swallowsNew) assert.equal(await isWell(), false);
    });

    test('The service recovers from silent database connections, with a setting that was changed meanwhile', async () => {
      const seconds = swallowsNew ? 111 : 222;
      await keywright.database.query(
        `UPDATE tenants SET config = jsonb_set(config, '{session_timeout}', to_jsonb($1::int))
          WHERE tenant_id = $2`,
        [seconds, tenant.id],
      );
      relay.heal();
      await until('it is ready', isWell);
      const [person = assert.fail()] = people;
      await until('the setting is in force', async () => {
        const answer = await tenant.request<TokenAnswer>('POST', '/auth/login', {
          body: person.body,
        });
        return answer.status === 200 && answer.body.expires_in === seconds;
      });
    });

    test('Acknowledged writes survive silent database connections, and refreshes without a response succeed when retried', async () => {
      await Promise.all(
        people.map(async (person) => {
          expectStatus(200, await untilAvailable(() => refresh(person)));
          const read = () => tenant.request('GET', '/me', { token: person.accessToken });
          expectStatus(200, await untilAvailable(read));
        }),
      );
    });
  });
}
