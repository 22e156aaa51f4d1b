import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { bitOf, bitsSetIn } from '@keywright/tests/harness/status';
import { holdStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';
import { type Cast, newCast, type TokenName } from '@keywright/tests/harness/token-cast';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('studio');
});

after(() => keywright.close());

async function asAdmin<Body>(method: string, path: string, body?: object): Promise<Body> {
  const token = await tenant.adminToken();
  const answer = await tenant.request<Body>(method, path, { token, ...(body && { body }) });
  return expectStatus(answer.status === 201 ? 201 : 200, answer);
}

/** The bits that are set, as the other node reports them. */
async function setBits(at: TestTenant = tenant): Promise<Set<number>> {
  const answer = await at.request('GET', '/status/0', { node: 1 });
  assert.equal(answer.status, 200, answer.text);
  return new Set(bitsSetIn(answer.text));
}

async function untilSet(bits: readonly number[], at = tenant): Promise<void> {
  const areSet = async () => {
    const set = await setBits(at);
    return bits.every((bit) => set.has(bit));
  };
  await until('the other node tells it', areSet);
}

/** The verdict of verify-token, which must match the lists. */
async function isActive(token: string): Promise<boolean> {
  const { active } = await asAdmin<{ active: boolean }>('POST', '/auth/verify-token', { token });
  return active;
}

/** Waits for the bits of these tokens, then checks all others. */
async function assertRevoked({ tokens }: Cast, names: readonly string[]): Promise<void> {
  const all = Object.entries(tokens);
  const expectedBits = all
    .filter(([name]) => names.includes(name))
    .map(([, token]) => bitOf(token));
  await untilSet(expectedBits);
  const set = await setBits();
  for (const [name, token] of all) {
    assert.equal(set.has(bitOf(token)), names.includes(name), name);
    assert.equal(await isActive(token), !names.includes(name), `${name}, asked online`);
  }
}

const OF_ANN: readonly TokenName[] = ['robot for ann', 'drone for robot for ann'];
const OF_ROBOT: readonly TokenName[] = ['robot by key', 'robot by spare key', 'robot by signature'];

interface Ending {
  readonly what: string;
  readonly end: (cast: Cast) => Promise<unknown>;
  readonly revokes: readonly TokenName[];
}

/** Everything that ends or changes a grant, and the tokens that this revokes. */
const ENDINGS: readonly Ending[] = [
  {
    what: 'a logout',
    end: ({ ann }) => tenant.request('POST', '/auth/logout', { token: ann.token }),
    revokes: ['ann'],
  },
  {
    what: 'the revocation of a session',
    end: ({ tokens }) => asAdmin('DELETE', `/sessions/${sessionOf(tokens['ann elsewhere'])}`),
    revokes: ['ann elsewhere'],
  },
  {
    what: 'the revocation of all sessions of a user',
    end: ({ ann }) => asAdmin('DELETE', `/sessions?user_id=${ann.user.id}`),
    revokes: ['ann', 'ann elsewhere'],
  },
  {
    what: 'a user who is made inactive',
    end: ({ ann }) => asAdmin('PATCH', `/users/${ann.user.id}`, { is_active: false }),
    revokes: ['ann', 'ann elsewhere', ...OF_ANN],
  },
  {
    what: 'a user who is disabled',
    end: ({ ann }) => asAdmin('POST', `/users/${ann.user.id}/disable`, { reason: 'stolen' }),
    revokes: ['ann', 'ann elsewhere', ...OF_ANN],
  },
  {
    what: 'a user who is deleted',
    end: ({ ann }) => asAdmin('DELETE', `/users/${ann.user.id}`),
    revokes: ['ann', 'ann elsewhere', ...OF_ANN],
  },
  {
    what: 'a new password by an administrator',
    end: ({ ann }) =>
      asAdmin('PATCH', `/users/${ann.user.id}`, { password: 'quite another one 7' }),
    revokes: ['ann', 'ann elsewhere'],
  },
  {
    what: 'a new password of one’s own, but for the session that made it',
    end: async ({ ann }) => {
      const body = { password: 'quite another one 8', current_password: ann.password };
      expectStatus(200, await tenant.request('PATCH', '/me', { token: ann.token, body }));
    },
    revokes: ['ann elsewhere'],
  },
  {
    what: 'the loss of a role',
    end: ({ ann }) => asAdmin('PATCH', `/users/${ann.user.id}`, { roles: ['member'] }),
    revokes: ['ann', 'ann elsewhere', ...OF_ANN],
  },
  {
    what: 'a role that gives something else',
    end: ({ ann }) => asAdmin('PATCH', `/roles/${ann.role}`, { scopes: ['read:users'] }),
    revokes: ['ann', 'ann elsewhere', ...OF_ANN],
  },
  {
    what: 'an agent that is made inactive',
    end: ({ robot }) => asAdmin('PATCH', `/agents/${robot.agent.id}`, { is_active: false }),
    revokes: [...OF_ROBOT, ...OF_ANN],
  },
  {
    what: 'other scopes of an agent',
    end: ({ robot }) => asAdmin('PATCH', `/agents/${robot.agent.id}`, { scopes: ['read:users'] }),
    revokes: [...OF_ROBOT, ...OF_ANN],
  },
  {
    what: 'an agent that is deleted',
    end: ({ robot }) => asAdmin('DELETE', `/agents/${robot.agent.id}`),
    revokes: [...OF_ROBOT, ...OF_ANN],
  },
  {
    what: 'the revocation of a key',
    end: ({ robot }) => asAdmin('DELETE', `/apikeys/${robot.record.id}`),
    revokes: ['robot by key', ...OF_ANN],
  },
  {
    what: 'a key that is rotated without an overlap',
    end: ({ spare }) => asAdmin('POST', `/apikeys/${spare.id}/rotate`, { overlap_days: 0 }),
    revokes: ['robot by spare key'],
  },
  {
    what: 'a key that is traded for another one and lives on for a day',
    end: ({ spare }) => asAdmin('POST', `/apikeys/${spare.id}/rotate`, { overlap_days: 1 }),
    revokes: [],
  },
  {
    what: 'a key that was found somewhere',
    end: ({ spare }) => keywright.request('POST', '/apikeys/report', { body: { key: spare.key } }),
    revokes: ['robot by spare key'],
  },
  {
    what: 'a delegation that is revoked',
    end: async ({ ann, delegationId }) => {
      const path = `/me/delegations/${delegationId}`;
      expectStatus(200, await tenant.request('DELETE', path, { token: ann.token }));
    },
    revokes: OF_ANN,
  },
  {
    what: 'a delegation in whose place comes another one',
    end: async ({ ann, robot }) => {
      const body = { agent_id: robot.agent.id, scopes: ['read:users'] };
      expectStatus(
        201,
        await tenant.request('POST', '/me/delegations', { token: ann.token, body }),
      );
    },
    revokes: OF_ANN,
  },
];

describe('sets the bits of exactly the tokens that it ends', () => {
  for (const { what, end, revokes } of ENDINGS) {
    test(what, async () => {
      const cast = await newCast(tenant, `https://id.example.com/t/${tenant.id}`);
      await assertRevoked(cast, []);
      await end(cast);
      await assertRevoked(cast, revokes);
    });
  }
});

describe('a session with changed permissions', () => {
  test('A session with changed permissions uses a new status bit from the next token on, which a further change sets too', async () => {
    const { ann } = await newCast(tenant, `https://id.example.com/t/${tenant.id}`);
    let { token, refreshToken } = ann;
    const seen = [bitOf(token)];
    for (const scope of ['read:users', 'write:notes', 'read:agents']) {
      await asAdmin('PATCH', `/roles/${ann.role}`, { scopes: [scope] });
      const body = { refresh_token: refreshToken };
      const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
      ({ access_token: token, refresh_token: refreshToken } = expectStatus(200, answer));
      await untilSet(seen);
      assert.ok(!(await setBits()).has(bitOf(token)) && !seen.includes(bitOf(token)));
      assert.ok(await isActive(token));
      seen.push(bitOf(token));
    }
  });

  test('A session with changed permissions uses the permanently set status bit if it ends during a refresh', async () => {
    const { ann } = await newCast(tenant, `https://id.example.com/t/${tenant.id}`);
    await asAdmin('PATCH', `/roles/${ann.role}`, { scopes: ['read:users'] });
    const naming = holdStatements('kw_name_bit');
    try {
      const body = { refresh_token: ann.refreshToken };
      const answer = tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
      await naming.isReached;
      await asAdmin('DELETE', `/sessions/${sessionOf(ann.token)}`);
      naming.release();
      const { access_token: token } = expectStatus(200, await answer);
      assert.ok((await setBits()).has(bitOf(token)), 'verifiers of the list reject it');
      assert.ok(!(await isActive(token)));
    } finally {
      naming.release();
    }
  });

  test('A session keeps its status bit over refreshes that change nothing', async () => {
    const { ann } = await newCast(tenant, `https://id.example.com/t/${tenant.id}`);
    let { refreshToken } = ann;
    for (let turn = 0; turn < 3; turn += 1) {
      const options = { node: turn % 2, body: { refresh_token: refreshToken } };
      const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
      const next = expectStatus(200, answer);
      assert.equal(bitOf(next.access_token), bitOf(ann.token));
      refreshToken = next.refresh_token;
    }
  });
});

describe('a key, and an agent', () => {
  test('The tokens of an agent key share one status bit on every node, and get a new one after a change of the agent', async () => {
    const { robot, tokens } = await newCast(tenant, `https://id.example.com/t/${tenant.id}`);
    const requestBit = async (node: number) => {
      const { agent, key } = robot;
      const body = {
        grant_type: 'client_credentials',
        client_id: agent.id,
        client_secret: key,
      };
      const answer = await tenant.request<TokenAnswer>('POST', '/auth/token', { body, node });
      return bitOf(expectStatus(200, answer).access_token);
    };
    const usual = bitOf(tokens['robot by key']);
    assert.deepEqual(
      [await requestBit(0), await requestBit(1), await requestBit(1)],
      [usual, usual, usual],
    );
    assert.notEqual(usual, bitOf(tokens['robot by spare key']));
    await asAdmin('PATCH', `/agents/${robot.agent.id}`, { is_active: false });
    await asAdmin('PATCH', `/agents/${robot.agent.id}`, { is_active: true });
    const next = await requestBit(0);
    assert.deepEqual([await requestBit(1), (await setBits()).has(next)], [next, false]);
    await untilSet([usual]);
  });
});

describe('an impersonation token', () => {
  test("An impersonation token uses a bit of its tenant, which is set when the administrator's own session ends", async () => {
    const { admin } = keywright;
    const login = await keywright.login(admin.identifier, admin.password);
    const body = { tenant_id: tenant.id, reason: 'support' };
    const options = { token: login.access_token, body };
    const impersonate = async () => {
      const answer = await keywright.home.request<TokenAnswer>(
        'POST',
        '/auth/impersonate',
        options,
      );
      return expectStatus(200, answer).access_token;
    };
    const [one, two] = [await impersonate(), await impersonate()];
    const isSet = async (token: string) => (await setBits()).has(bitOf(token));
    assert.deepEqual([await isSet(one), await isSet(two)], [false, false]);
    const home = bitOf(login.access_token);
    assert.ok(!(await setBits(keywright.home)).has(home));
    await keywright.home.request('POST', '/auth/logout', { token: login.access_token });
    await untilSet([bitOf(one), bitOf(two)]);
    await untilSet([home], keywright.home);
  });
});
