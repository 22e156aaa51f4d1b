import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { type RequestOptions, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { pooled } from '@keywright/tests/harness/parallel';
import { bitOf, bitsSetIn, listClaimsOf } from '@keywright/tests/harness/status';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const BASE_URL = 'https://id.example.com';
const TYPE = 'application/statuslist+jwt';
/** Bits of one list. */
const LIST_BITS = 131_072;

let keywright: Keywright;
let tenant: TestTenant;
let issuer: string;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('library');
  issuer = `${BASE_URL}/t/${tenant.id}`;
});

after(() => keywright.close());

function getList(options: RequestOptions & { node?: number } = {}, list = '0', of = tenant) {
  return keywright.request('GET', `/t/${of.id}/status/${list}`, options);
}

/** The keys of an issuer, found by its name alone. */
function keysOf(name: string) {
  return createRemoteJWKSet(new URL(`${name}/.well-known/jwks.json`), {
    [customFetch]: (url, options) => fetch(url.replace(BASE_URL, keywright.url), options),
  });
}

function logOut(token: string, at = tenant) {
  return at.request('POST', '/auth/logout', { token });
}

async function untilSet(bit: number, node: number, of = tenant): Promise<string> {
  const readIfSet = async () => {
    const { text } = await getList({ node }, '0', of);
    return bitsSetIn(text).includes(bit) && text;
  };
  return until('the list tells it', readIfSet, 2000);
}

describe('a status list', () => {
  test('A status list is a signed token of the tenant with its own address and a bit for each token', async () => {
    const { token } = await tenant.createUser();
    const answer = await getList();
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], TYPE);
    const rules = { issuer, typ: 'statuslist+jwt', algorithms: ['EdDSA'] };
    const options = { ...rules, currentDate: keywright.clock.now() };
    const { payload } = await jwtVerify(answer.text, keysOf(issuer), options);
    const uri = claimsOf(token).status?.status_list.uri;
    assert.equal(payload.sub, uri);
    assert.equal(payload['ttl'], 10);
    const { iat, exp, version, status_list: list } = listClaimsOf(answer.text);
    assert.equal(iat, Math.floor(keywright.clock.now().getTime() / 1000));
    assert.equal(exp, iat + 3600);
    assert.ok(Number.isSafeInteger(version));
    assert.equal(list.bits, 1);
    // Bit 0 belongs to no token and is always set.
    assert.deepEqual(bitsSetIn(answer.text), [0]);
    assert.ok(bitOf(token) > 0);
  });

  test('A logout sets a bit in the status list on every node, and raises the version of the list', async () => {
    const people = [await tenant.createUser(), await tenant.createUser()] as const;
    const earlier = listClaimsOf((await getList()).text);
    expectStatus(200, await logOut(people[0].token));
    for (const node of [0, 1]) {
      const list = await untilSet(bitOf(people[0].token), node);
      assert.ok(!bitsSetIn(list).includes(bitOf(people[1].token)));
      assert.ok(listClaimsOf(list).version > earlier.version);
    }
    const [one, two] = [await getList({ node: 0 }), await getList({ node: 1 })];
    assert.equal(listClaimsOf(one.text).version, listClaimsOf(two.text).version);
    assert.equal(one.headers['etag'], two.headers['etag']);
  });

  test('The status list of a tenant differs from that of another tenant, and does not verify with the keys of the other', async () => {
    const other = await keywright.tenant('archive');
    const { token } = await other.createUser();
    const mine = await tenant.createUser();
    await logOut(token, other);
    const theirs = await untilSet(bitOf(token), 0, other);
    assert.ok(!bitsSetIn((await getList()).text).includes(bitOf(mine.token)));
    const name = `${BASE_URL}/t/${other.id}`;
    assert.equal(listClaimsOf(theirs).sub, `${name}/status/0`);
    const refused = jwtVerify(theirs, keysOf(issuer), { currentDate: keywright.clock.now() });
    await assert.rejects(refused, errors.JWKSNoMatchingKey);
  });

  test('A status list is the same by header, by host and by issuer', async () => {
    const [domain = ''] = tenant.domains;
    const byHost = await keywright.request('GET', '/status/0', { host: domain });
    const byHeader = await keywright.request('GET', '/status/0', { tenant: tenant.id });
    const { text } = await getList();
    assert.deepEqual([byHost.text, byHeader.text], [text, text]);
    assert.equal(byHost.headers['vary'], 'X-Tenant-ID, Host');
  });

  test('A status list is not sent again if unchanged, and is cached for less than its ttl', async () => {
    const { headers, text } = await getList();
    const etag = String(headers['etag']);
    assert.match(etag, /^W\/"[\w-]+"$/);
    const [, age] = /^public, max-age=(\d+)$/.exec(String(headers['cache-control'])) ?? [];
    assert.ok(Number(age) > 0 && Number(age) < listClaimsOf(text).ttl);
    for (const ifNoneMatch of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await getList({ node: 1, headers: { 'if-none-match': ifNoneMatch } });
      assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag]);
    }
    const { token } = await tenant.createUser();
    await logOut(token);
    await untilSet(bitOf(token), 1);
    const other = await getList({ node: 1, headers: { 'if-none-match': etag } });
    assert.deepEqual([other.status, other.headers['etag'] === etag], [200, false]);
  });

  test('A status list is signed once for all requests, until something changes', async () => {
    const first = await getList();
    keywright.clock.advance(5);
    for (let turn = 0; turn < 20; turn += 1) assert.equal((await getList()).text, first.text);
    const { token } = await tenant.createUser();
    await logOut(token);
    const { iat } = listClaimsOf(await untilSet(bitOf(token), 0));
    assert.equal(iat, listClaimsOf(first.text).iat + 5);
  });

  test('A status list is signed again after half its lifetime, even if nothing has changed', async () => {
    const old = await getList();
    keywright.clock.advance(1800);
    const fresh = await getList({ headers: { 'if-none-match': String(old.headers['etag']) } });
    assert.equal(fresh.status, 200);
    assert.equal(listClaimsOf(fresh.text).iat, listClaimsOf(old.text).iat + 1800);
  });

  test('A status list is signed again as soon as its key stops signing', async () => {
    const keyed = await keywright.tenant('keyed');
    const kid = async (node: number) => headerOf((await getList({ node }, '0', keyed)).text).kid;
    const old = await kid(1);
    const { identifier, password } = await keyed.createUser({ roles: ['admin'] });
    keywright.clock.advance(1);
    const logIn = async () => (await keyed.login(identifier, password)).access_token;
    const rotation = { token: await logIn() };
    expectStatus(201, await keyed.request('POST', '/keys/rotate?immediately=true', rotation));
    expectStatus(200, await keyed.request('DELETE', `/keys/${old}`, { token: await logIn() }));
    await until('it has another key', async () => (await kid(1)) !== old);
  });

  test('A status list exists only for allocated bits', async () => {
    for (const list of ['1', '01', '-1', 'x', '1e3', '999999999', '99999999999999999999']) {
      const answer = await getList({}, list);
      assert.equal(answer.status, 404, list);
      assert.equal(answer.body['code'], 'NOT_FOUND', list);
    }
    const crowded = await keywright.tenant('crowded');
    const first = await crowded.createUser();
    await keywright.database.query(
      `UPDATE status_ranges SET next_idx = ${LIST_BITS - 5} WHERE tenant_id = $1`,
      [crowded.id],
    );
    const people = [first];
    for (let turn = 0; turn < 40; turn += 1) {
      const { identifier, password } = first;
      const { access_token: token } = await crowded.login(identifier, password, { node: 1 });
      people.push({ ...first, token });
    }
    const lists = people.map(({ token }) => claimsOf(token).status?.status_list.uri.at(-1));
    assert.deepEqual([...new Set(lists)], ['0', '1']);
    const last = people.at(-1)?.token ?? '';
    await logOut(last, crowded);
    await until('the second list tells it', async () => {
      const { text } = await getList({}, '1', crowded);
      return bitsSetIn(text).includes(bitOf(last));
    });
    assert.ok(!bitsSetIn((await getList({}, '0', crowded)).text).includes(bitOf(last)));
  });

  test('A request for the status list of an inactive or deleted tenant is rejected', async () => {
    const gone = await keywright.tenant('gone');
    await gone.createUser();
    assert.equal((await getList({}, '0', gone)).status, 200);
    const token = await keywright.adminToken();
    const at = `/tenants/${gone.id}`;
    await keywright.home.request('PATCH', at, { token, body: { is_active: false } });
    await until('it is rejected', async () => {
      const { status, body } = await getList({ node: 1 }, '0', gone);
      return `${status} ${String(body['code'])}` === '403 TENANT_INACTIVE';
    });
    await keywright.home.request('DELETE', at, { token });
    await until('it is gone', async () => {
      const { status, body } = await getList({ node: 1 }, '0', gone);
      return `${status} ${String(body['code'])}` === '400 TENANT_NOT_FOUND';
    });
  });
});

describe('bits', () => {
  test('The bits of a status list are allocated once, whichever node allocates them', async () => {
    const { identifier, password } = await tenant.createUser();
    const nodes = Array.from({ length: 40 }, (_, turn) => turn % 2);
    const bits = await pooled(4, nodes, async (node) =>
      bitOf((await tenant.login(identifier, password, { node })).access_token),
    );
    assert.equal(new Set(bits).size, bits.length);
  });

  test('The status bit of a rejected login is reused', async () => {
    const { identifier, password } = await tenant.createUser();
    const bitNow = async () => bitOf((await tenant.login(identifier, password)).access_token);
    const usual = await bitNow();
    const extra = { workspace_id: 'ws_nowhere' };
    for (let turn = 0; turn < 3; turn += 1) {
      await assert.rejects(tenant.login(identifier, password, { extra }));
    }
    assert.ok((await bitNow()) - usual <= 1);
  });

  test('A status bit remains set while a token that names it can be valid, and is then reused', async () => {
    const { token } = await tenant.createUser();
    await logOut(token);
    await untilSet(bitOf(token), 0);
    const isStored = async () => {
      const sql = 'SELECT idx FROM status_revocations WHERE tenant_id = $1 AND idx = $2';
      return (await keywright.database.query(sql, [tenant.id, bitOf(token)])).length > 0;
    };
    const age = (hours: number) =>
      keywright.database.query(
        `UPDATE status_revocations SET version = version - ${hours * 3_600_000} WHERE idx = $1`,
        [bitOf(token)],
      );
    const sweep = () => keywright.nodes[0]?.housekeeping.sweep();
    await age(24);
    await sweep();
    assert.ok(await isStored());
    await age(2);
    await sweep();
    assert.ok(!(await isStored()));
  });
});
