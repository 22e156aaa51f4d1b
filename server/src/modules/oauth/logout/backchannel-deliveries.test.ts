// What administrators and the logged-out user see of the clients that are notified.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { LogoutDeliveryRecord } from '@keywright/contract/records/logout-delivery';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  type LogoutReceiver,
  startLogoutReceiver,
  withStatus,
} from '@keywright/tests/harness/logout-receiver';
import { RelyingParty } from '@keywright/tests/harness/relying-party';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import type { Seen } from '@keywright/tests/harness/visitor';

/** The query that the receiver requires, and its response: neither may be disclosed to others. */
const QUERY = 'key=a-secret-of-the-receiver';
const ANSWER = 'what the receiver says';

let keywright: Keywright;
let tenant: TestTenant;
let receiver: LogoutReceiver;
let app: RelyingParty;
let user: TestUser;
/** In the order in which they ended. */
const ended: { readonly sid: string; readonly status: LogoutDeliveryRecord['status'] }[] = [];

const deliver = () => keywright.nodes[0]?.logouts.runDue();

async function end(answer: LogoutReceiver['answer'], status: LogoutDeliveryRecord['status']) {
  receiver.answer = answer;
  const { sid } = await app.logIn(app.browser(), user);
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('DELETE', `/sessions/${sid}`, { token }));
  await deliver();
  ended.push({ sid, status });
  keywright.clock.advance(1);
}

before(async () => {
  receiver = await startLogoutReceiver();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await keywright.tenant('listed');
  user = await tenant.createUser();
  app = await RelyingParty.register(tenant, {
    fields: { backchannel_logout_uri: `${receiver.url}/listed?${QUERY}` },
  });
  await end((response) => response.end(ANSWER), 'delivered');
  await end(withStatus(400), 'failed');
  await end((response) => void response.writeHead(503).end(ANSWER), 'pending');
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

interface List {
  readonly items: readonly LogoutDeliveryRecord[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

async function list(query = '', by = app): Promise<List> {
  const token = await tenant.adminToken();
  const path = `/clients/${by.client.id}/logout-deliveries${query}`;
  return expectStatus(200, await tenant.request<List>('GET', path, { token }));
}

describe('the list of logout notifications', () => {
  test('The list has each session that ended, with the outcome of its notification', async () => {
    const { items, meta } = await list();
    assert.equal(meta.total, 3);
    const [waiting, refused, delivered] = items;
    assert.deepEqual(
      items.map((delivery) => ({ sid: delivery.session_id, status: delivery.status })),
      ended.toReversed(),
      'the newest first',
    );
    assert.deepEqual(
      items.map(({ attempts, reason }) => [attempts, reason]),
      [
        [1, 'status_503: The client returned 503.'],
        [1, 'status_400: The client returned 400.'],
        [1, null],
      ],
    );
    for (const delivery of items) {
      assert.deepEqual(
        [delivery.tenant_id, delivery.client_id, delivery.user_id],
        [tenant.id, app.client.id, user.user.id],
      );
    }
    assert.equal(waiting?.ended_at, null);
    assert.ok(waiting?.next_attempt_at);
    for (const delivery of [refused, delivered]) {
      assert.equal(delivery?.next_attempt_at, null);
      assert.ok(delivery?.ended_at);
    }
  });

  test('The list is filtered by state, and read in pages in either order', async () => {
    for (const { sid, status } of ended) {
      const { items, meta } = await list(`?status=${status}`);
      assert.deepEqual([items.map((delivery) => delivery.session_id), meta.total], [[sid], 1]);
    }
    assert.equal((await list('?status=expired')).meta.total, 0);
    const oldestFirst = await list('?sort=created_at&limit=2');
    const cursor = oldestFirst.meta.next_cursor ?? '';
    const rest = await list(`?sort=created_at&limit=2&cursor=${cursor}`);
    assert.deepEqual(
      [...oldestFirst.items, ...rest.items].map((delivery) => delivery.session_id),
      ended.map(({ sid }) => sid),
    );
  });

  test('The list has no tokens, no responses, and no query of the client’s address', async () => {
    const text = JSON.stringify(await list());
    const [notification] = receiver.at(`/listed?${QUERY}`);
    assert.match(notification?.token ?? '', /^eyJ/);
    for (const secret of [notification?.token ?? '', 'eyJ', QUERY, ANSWER, receiver.url]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  test('The list has nothing of other clients, and a deleted client has no list', async () => {
    const other = await RelyingParty.register(tenant);
    assert.equal((await list('', other)).meta.total, 0);
    const token = await tenant.adminToken();
    const path = `/clients/${other.client.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    const gone = await tenant.request('GET', `${path}/logout-deliveries`, { token });
    assert.deepEqual([gone.status, gone.body['code']], [404, 'NOT_FOUND']);
  });
});

describe('the page of a logout', () => {
  const silent: ServerResponse[] = [];
  after(() => {
    for (const response of silent) response.destroy();
  });

  const register = (name: string, uri: string | null) =>
    RelyingParty.register(tenant, { fields: { name, backchannel_logout_uri: uri } });

  /** The lists of the page, by their ids. */
  const listsOf = ({ text }: Seen) =>
    Object.fromEntries(
      [...text.matchAll(/<p id="([a-z-]+)">[^<]*<\/p>\s*<ul>(.*?)<\/ul>/gs)].map(
        ([, id, items]) => [
          id,
          [...(items ?? '').matchAll(/<li>([^<]*)<\/li>/g)].map(([, name]) => name),
        ],
      ),
    );
  const again = ({ text }: Seen) => /id="logout-again" href="([^"]+)"/.exec(text)?.[1];

  test('The page names the clients that were notified, that have not responded, that failed and that have no address, and waits for none', async () => {
    const apps = [
      await register('Quick', `${receiver.url}/quick`),
      await register('Silent <b>', `${receiver.url}/silent`),
      await register('Deaf', null),
      await register('Refusing', `${receiver.url}/refusing`),
    ] as const;
    const [quick] = apps;
    receiver.answer = (response, { path }) => {
      if (path === '/silent') return void silent.push(response);
      response.writeHead(path === '/refusing' ? 400 : 200).end();
    };
    const browser = quick.browser();
    for (const party of apps) await party.logIn(browser, user);
    await quick.logOut(browser, {});
    const first = await browser.press('logout');
    assert.deepEqual([first.status, first.title], [200, 'You’re signed out']);
    assert.deepEqual(listsOf(first)['not-told'], ['Deaf']);
    await until('the others have answered', async () => {
      const lists = listsOf(await browser.open(first.address));
      return lists['told'] !== undefined && lists['failed'] !== undefined;
    });
    assert.deepEqual(listsOf(browser.seen), {
      told: ['Quick'],
      waiting: ['Silent &lt;b&gt;'],
      failed: ['Refusing'],
      'not-told': ['Deaf'],
    });
    assert.equal(again(browser.seen), first.address, 'loaded again, it asks nothing');
    await until('it has the token', () => silent.length > 0);
    for (const response of silent.splice(0)) response.end();
    await until('the last one has answered', async () => {
      const lists = listsOf(await browser.open(first.address));
      return lists['told']?.length === 2;
    });
    assert.equal(again(browser.seen), undefined);
  });

  test('The page belongs to the browser that logged out, for ten minutes', async () => {
    receiver.answer = (response) => response.end();
    const [browser, other] = [app.browser(), app.browser()];
    await app.logIn(browser, user);
    await app.logOut(browser, {});
    const logoutRequest = browser.seen.hidden['request'] ?? '';
    const { address } = await browser.press('logout');
    await app.logIn(other, user);
    const refused = async (of: typeof browser, path = address) => {
      const { status, text } = await of.open(path);
      assert.deepEqual([status, text.includes('FORM_TOO_OLD')], [400, true], path);
    };
    await refused(other);
    const [page = '', request = ''] = address.split('?request=');
    await refused(browser, `${page}?request=${logoutRequest}`);
    await refused(browser, page.replace(/ended$/, 'confirm') + `?request=${request}`);
    keywright.clock.advance(599);
    assert.equal((await browser.open(address)).status, 200);
    keywright.clock.advance(1);
    await refused(browser);
  });
});
