import assert from 'node:assert/strict';
import { touchLogin } from '../../server/sql/identity/kw_touch_login.ts';
import { type Check, NOW } from './function-check.ts';
import { type Seeded, NOW as SEEDED } from './seed.ts';

/** The first page in each order. */
const ORDERS = [
  ['created_at', true, 'infinity'],
  ['created_at', false, '-infinity'],
  ['identifier', true, '\u{10FFFF}'],
  ['identifier', false, ''],
  ['name', true, '\u{10FFFF}\u{10FFFF}'],
  ['name', false, ''],
  ['last_login_at', true, 'infinity'],
  ['last_login_at', false, '-infinity'],
] as const;

/** The sort key of both users. */
const NAME = 'named';

/** The database functions that list users. */
export const USER_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_scopes_and_role: async ({ local, foreign, rows }) => {
    const compare = (userId: string, role: string) =>
      rows('kw_scopes_and_role($1, $2, $3)', local.tenantId, userId, role);
    const scopes = [`read:${local.role}`];
    assert.deepEqual(await compare(local.userId, local.role), [
      { granted: scopes, required: scopes },
    ]);
    assert.deepEqual(await compare(foreign.userId, foreign.role), [
      { granted: [], required: null },
    ]);
  },

  kw_touch_login: async ({ local, foreign, value, batch: call }) => {
    const note = (logins: readonly (readonly [where: Seeded, whose: Seeded])[], minute: Date) =>
      call(
        touchLogin,
        ...logins.map(([{ tenantId: tenant }, { userId: user }]) => ({ tenant, user, minute })),
      );
    const noted = async ({ tenantId }: Seeded) => {
      await value('kw_enter($1)', tenantId);
      return value(`(SELECT string_agg(user_id || ' ' || extract(epoch FROM last_login_at)::bigint, ',')
                       FROM user_logins)`);
    };
    const loginOf = ({ userId }: Seeded, at: Date) => `${userId} ${at.getTime() / 1000}`;
    const theirs = await noted(foreign);
    const later = new Date(NOW.getTime() + 60_000);
    // A user cannot log in to another tenant, regardless of the rest of the batch.
    const batch = [
      [local, foreign],
      [foreign, local],
      [local, local],
    ] as const;
    await note(batch, later);
    assert.equal(await noted(local), loginOf(local, later));
    assert.equal(await noted(foreign), theirs);
    // An older login that is reported late does not replace a newer one.
    await note(batch, NOW);
    assert.equal(await noted(local), loginOf(local, later));
  },

  kw_set_scheme: async ({ local, entered, value, changed }) => {
    await assert.rejects(
      entered(() => value('kw_set_scheme()')),
      { code: '0A000' },
    );
    const schemes = [
      ['$2b$10$0000000000000000000000', '$2b$10$'],
      ['$argon2id$v=19$m=7168,t=5,p=1$c2FsdA$aGFzaA', '$argon2id$v=19$m=7168,t=5,p=1'],
      ['$pbkdf2-sha256$i=9,l=64$c2FsdA==$aGFzaA==', '$pbkdf2-sha256$i=9,l=64'],
    ];
    await value('kw_enter($1)', local.tenantId);
    for (const [hash, scheme] of schemes) {
      const set = `UPDATE user_credentials SET secret_hash = '${hash}', scheme = 'another' WHERE type = 'password'`;
      assert.deepEqual(await changed(set), [local.tenantId]);
      const found = `(SELECT min(scheme) FROM user_credentials WHERE type = 'password')`;
      assert.equal(await value(found), scheme);
    }
  },

  kw_import_users: async ({ local, foreign, entered, rows, value }) => {
    const user = (name: string, ...identifiers: readonly string[]) => ({
      id: `user:${name}`,
      name,
      name_key: name,
      is_active: true,
      metadata: {},
      user_metadata: {},
      secret_hash: '$2b$10$0000000000000000000000',
      identifiers: identifiers.map((identifier) => ({
        type: 'email',
        identifier,
        verified: false,
      })),
      roles: [local.role],
    });
    const users = [
      user('one', foreign.identifier),
      user('two', local.identifier),
      user('three', local.identifier, 'new@example.com'),
      user('four', 'new@example.com', 'newer@example.com'),
      user('five', 'newer@example.com', 'new@example.com'),
    ];
    await value('kw_enter($1)', local.tenantId);
    const list = JSON.stringify(users);
    const answers = await rows('kw_import_users($1, $2, $3)', local.tenantId, list, NOW);
    assert.deepEqual(
      answers.map((row) => [row['outcome'], row['user_id']]),
      [
        ['created', 'user:one'],
        ['existing', local.userId],
        ['taken', null],
        ['created', 'user:four'],
        ['existing', 'user:four'],
      ],
    );
    const theirs = () => rows('kw_import_users($1, $2, $3)', foreign.tenantId, list, NOW);
    await assert.rejects(entered(theirs), { code: '42501' });
  },

  kw_user_page: async ({ local, foreign, value }) => {
    const page = (order: (typeof ORDERS)[number], tenantId: string) =>
      value('kw_user_page($1, $2, $3, $4, $5, 0, 9)', tenantId, ...order, '');
    await value('kw_enter($1)', local.tenantId);
    for (const order of ORDERS) {
      assert.deepEqual(await page(order, local.tenantId), [local.userId]);
      assert.deepEqual(await page(order, foreign.tenantId), []);
    }
  },

  kw_user_records: async ({ local, foreign, value }) => {
    const both = [local.userId, foreign.userId];
    await value('kw_enter($1)', local.tenantId);
    assert.deepEqual(recordsIn(await value('kw_user_records($1, $2)', local.tenantId, both)), {
      users: [local.userId],
      identifiers: [local.identifier],
      roles: [local.role],
      workspaces: [local.workspaceId],
    });
    const theirs = await value('kw_user_records($1, $2)', foreign.tenantId, both);
    const nothing = { users: null, identifiers: null, roles: null, workspaces: null };
    assert.deepEqual(recordsIn(theirs), nothing);
  },

  kw_list_users: async ({ local, foreign, rows, value }) => {
    const tenants = [local, foreign, local];
    for (const [field, descending, start] of ORDERS) {
      const answers = await rows(
        'kw_list_users($1, $2, $3, $4, $5, $6, $7, $8)',
        tenants.map((tenant) => tenant.tenantId),
        tenants.map(() => field),
        tenants.map(() => descending),
        tenants.map(() => start),
        tenants.map(() => ''),
        tenants.map(() => 0),
        tenants.map(() => 9),
        [9, 9, 0],
      );
      assert.equal(answers.length, tenants.length);
      tenants.forEach((tenant, index) => {
        const answer = answers[index] ?? {};
        const { ids, sizes, counted, records } = answer['kw_list_users'] as Listed;
        assert.deepEqual([ids, sizes, counted], [[tenant.userId], [1], [index === 2 ? 0 : 1]]);
        assert.deepEqual(recordsIn(records), {
          users: [tenant.userId],
          identifiers: [tenant.identifier],
          roles: [tenant.role],
          workspaces: [tenant.workspaceId],
        });
      });
    }
    assert.equal(await value('current_user::text'), 'keywright_tenant');
  },

  // Reads no table.
  kw_grams: async ({ value }) => {
    assert.deepEqual(await value(`kw_grams('zoë')`), ['z', 'o', 'ë', 'zo', 'oë']);
    assert.deepEqual(await value(`kw_grams('z')`), ['z']);
    assert.equal(await value(`kw_grams('')`), null);
  },

  kw_search_users: async ({ local, foreign, value }) => {
    // The number of users decides whether the query uses the index or reads the tenant's rows.
    for (const users of [0, 1_000_000]) {
      const search = async (tenant: Seeded, part: string, also: string | null = null, to = 9) => {
        const call = `kw_search_users($1, $2, $3, $4, NULL, '{}', 'created_at', true, '', $5, 0, 9, $6, $7)`;
        const values = [[`%${part}%`], also, part, '\u{10FFFF}', users, to];
        const answer = (await value(call, tenant.tenantId, ...values)) as Found | null;
        return answer && [answer.ids, answer.counted, recordsIn(answer.records).identifiers];
      };
      const ours = [[local.userId], 1, [local.identifier]];
      // Both tenants have a match: each finds and counts only its own user.
      assert.deepEqual(await search(local, 'resident@'), ours);
      assert.equal(await value('current_user::text'), 'keywright_tenant');
      assert.deepEqual(await search(local, 'resident@', '%resident%'), ours);
      assert.deepEqual(await search(local, 'resident@', '%unknown%'), [[], 0, null]);
      const theirs = [[foreign.userId], 1, [foreign.identifier]];
      assert.deepEqual(await search(foreign, 'resident@'), theirs);
      assert.deepEqual(await search(local, foreign.identifier), [[], 0, null]);
      // As many as the limit.
      assert.deepEqual(await search(local, 'resident@', null, 1), null);
      const byName = `kw_search_users($1, $3, NULL, 'no identifier', 'named', $3, 'created_at', true, '', $2, 0, 9, $4, 9)`;
      for (const tenant of [local, foreign]) {
        const values = [tenant.tenantId, '\u{10FFFF}', ['%named%'], users];
        const { ids, counted } = (await value(byName, ...values)) as Found;
        assert.deepEqual([ids, counted], [[tenant.userId], 1]);
      }
    }
    // With a limit of 0, all matches.
    const all = `kw_search_users($1, $2, NULL, 'resident@', NULL, '{}', '', true, '', '', 0, 0, 9, 9)`;
    for (const tenant of [local, foreign]) {
      const { ids, counted, records } = (await value(all, tenant.tenantId, [
        '%resident@%',
      ])) as Found;
      assert.deepEqual([ids, counted, recordsIn(records).identifiers], [[tenant.userId], 1, null]);
    }
  },

  kw_user_checkpoints: async ({ local, foreign, rows }) => {
    for (const tenant of [local, foreign]) {
      for (const [field, mark] of [
        ['identifier', tenant.identifier],
        ['name', NAME],
        ['last_login_at', SEEDED.toISOString()],
      ]) {
        const marks = await rows('kw_user_checkpoints($1, $2, 1)', tenant.tenantId, field);
        assert.deepEqual(marks, [
          { value: mark, id: tenant.userId, passed: 1 },
          { value: null, id: null, passed: 1 },
        ]);
      }
    }
  },
};

type Columns = readonly (readonly unknown[] | null)[];

interface Records {
  readonly users: Columns;
  readonly identifiers: Columns;
  readonly roles: Columns;
  readonly workspaces: Columns;
}

interface Found {
  readonly ids: unknown;
  readonly counted: unknown;
  readonly records: Records;
}

interface Listed extends Found {
  readonly sizes: unknown;
}

/** Returns the ids of the users, and their identifiers, roles and workspaces. */
function recordsIn(records: unknown) {
  const { users, identifiers, roles, workspaces } = records as Records;
  return {
    users: users[0],
    identifiers: identifiers[2],
    roles: roles[1],
    workspaces: workspaces[1],
  };
}
