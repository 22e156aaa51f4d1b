import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@keywright/contract/errors';
import { hash } from '@node-rs/argon2';
import { OWASP, type PasswordCost, PasswordHasher, type Share } from './password.ts';
import { decoyOf } from './foreign-hash.ts';

const WAITING_PER_WORKER = 32;
const HOME = { flow: 'a tenant', source: 'an address' };

describe('a password hash', () => {
  const passwords = new PasswordHasher();

  test('A password hash is Argon2id with 19 MiB, two passes and its own salt (SPEC authentication 8)', async () => {
    const [first, other] = [
      await passwords.hash('a secret', HOME),
      await passwords.hash('a secret', HOME),
    ];
    for (const encoded of [first, other]) {
      assert.match(encoded, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/);
      assert.equal(await passwords.verify(encoded, 'a secret', HOME), true);
    }
    assert.notEqual(first, other);
  });

  test('A password hash matches only its secret', async () => {
    const encoded = await passwords.hash('a secret', HOME);
    for (const wrong of ['A secret', 'a secret ', '', 'a secre', `a secret\0`]) {
      assert.equal(await passwords.verify(encoded, wrong, HOME), false, JSON.stringify(wrong));
    }
  });

  test('A password hash matches the same characters in another Unicode normalization', async () => {
    const encoded = await passwords.hash('caf\u00e9 \ufb03', HOME);
    assert.equal(await passwords.verify(encoded, 'cafe\u0301 ffi', HOME), true);
  });

  test('A missing password hash never matches, and still costs one hash computation', async () => {
    const before = passwords.computed;
    for (const secret of ['', 'a secret', 'calm waters run', '\0']) {
      assert.equal(await passwords.verify(undefined, secret, HOME), false);
    }
    assert.equal(passwords.computed - before, 4);
  });

  test('A password hash is outdated if its parameters are not the current ones', async () => {
    const weaker = [
      await hash('a secret', { memoryCost: 8192, timeCost: 2, parallelism: 1 }),
      await hash('a secret', { memoryCost: 19_456, timeCost: 1, parallelism: 1 }),
      await hash('a secret', { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 1 }),
      '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
    ];
    for (const encoded of weaker) assert.equal(passwords.isOutdated(encoded), true, encoded);
    assert.equal(passwords.isOutdated(await passwords.hash('a secret', HOME)), false);
    assert.equal(await passwords.verify(weaker[0], 'a secret', HOME), true, 'it still opens');
  });
});

describe('the decoy of a missing hash', () => {
  const costs: Readonly<Record<string, readonly [cost: PasswordCost, verifications: number]>> = {
    'the cost of the service': [OWASP, 1],
    'the cost of tests': [{ memoryCost: 8, timeCost: 1, parallelism: 1 }, 50],
  };
  for (const [at, [cost, verifications]] of Object.entries(costs)) {
    test(`The decoy of a missing hash takes as much work as a real hash, at ${at}`, async () => {
      const passwords = new PasswordHasher(1, cost);
      const real = await passwords.hash('a secret', HOME);
      assert.equal(passwords.isOutdated(real), false);
      assert.equal(decoyOf(passwords.scheme).length, real.length, 'the same salt and hash');

      const workOf = async (encoded: string | undefined) => {
        const before = process.cpuUsage();
        for (let n = 0; n < verifications; n += 1) await passwords.verify(encoded, 'wrong', HOME);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      let [ofReal, ofDecoy] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 0; round < 8; round += 1) {
        ofReal = Math.min(ofReal, await workOf(real));
        ofDecoy = Math.min(ofDecoy, await workOf(undefined));
      }
      assert.ok(ofDecoy > ofReal / 2 && ofDecoy < ofReal * 2, `${ofDecoy} and ${ofReal} µs`);
    });
  }
});

test('Password hashes run at a lower priority than everything else, on Linux', async () => {
  const ofTheProcess = getPriority(process.pid);
  await new PasswordHasher().hash('a secret', HOME);
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [];
  const nameOf = (thread: string) =>
    readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
  const pool = threads.filter((thread) => nameOf(thread) === 'libuv-worker');
  assert.ok(pool.length > 0 || process.platform !== 'linux');
  assert.deepEqual(
    pool.map(Number).filter((thread) => getPriority(thread) < 10),
    [],
  );
  assert.equal(getPriority(process.pid), ofTheProcess, 'requests are answered by the main thread');
});

describe('the hash queue', () => {
  for (const workers of [1, 2]) {
    test(`The hash queue never computes more hashes simultaneously than its workers: ${workers}`, async () => {
      const passwords = new PasswordHasher(workers);
      const hashes = Array.from({ length: 4 * workers }, async () => {
        await passwords.hash('a secret', HOME);
        return passwords.load.running;
      });
      assert.equal(passwords.computed, workers);
      const atWork = await Promise.all(hashes);
      assert.ok(Math.max(...atWork) <= workers, String(atWork));
      assert.equal(passwords.computed, 4 * workers);
    });

    test(`The hash queue holds ${WAITING_PER_WORKER} waiting hashes per worker and rejects the next as TOO_BUSY, with workers: ${workers}`, async () => {
      const passwords = new PasswordHasher(workers);
      const fitting = workers * (1 + WAITING_PER_WORKER);
      const outcomes = await Promise.allSettled(
        Array.from({ length: fitting + 3 }, () => passwords.verify(undefined, 'a secret', HOME)),
      );
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
      );
      assert.equal(refused.length, 3);
      for (const error of refused) {
        assert.ok(error instanceof AppError);
        assert.deepEqual([error.code, error.options.retryAfterSeconds], ['TOO_BUSY', 1]);
      }
      assert.equal(passwords.computed, fitting, 'rejected ones cost nothing');
      assert.equal(
        await passwords.verify(await passwords.hash('a secret', HOME), 'a secret', HOME),
        true,
      );
    });
  }

  test('The hash queue keeps the slot of a result that was not delivered yet', async () => {
    const passwords = new PasswordHasher(1);
    const all = Promise.all(
      Array.from({ length: 1 + WAITING_PER_WORKER }, () =>
        passwords.verify(undefined, 'a secret', HOME),
      ),
    );
    // Callers that waited for fewer than eight hashes are not held back.
    while (passwords.computed < 12) await nextTurn();
    const more: Promise<boolean>[] = [];
    assert.throws(
      () => {
        for (;;) {
          passwords.requireRoom(HOME);
          more.push(passwords.verify(undefined, 'a secret', HOME));
        }
      },
      { code: 'TOO_BUSY' },
    );
    assert.ok(passwords.load.waiting < WAITING_PER_WORKER, `${passwords.load.waiting}`);
    await Promise.all([all, ...more]);
    passwords.requireRoom(HOME);
  });

  test('The hash queue continues after a hash that failed', async () => {
    const passwords = new PasswordHasher(1);
    const outcomes = await Promise.allSettled([
      passwords.verify('no hash', 'a secret', HOME),
      passwords.verify(undefined, 'a secret', HOME),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['rejected', 'fulfilled'],
    );
    assert.equal(await passwords.verify(undefined, 'a secret', HOME), false);
  });

  const floods: Readonly<Record<string, (index: number) => Share>> = {
    'one address': () => HOME,
    'many addresses': (index) => ({ ...HOME, source: `address ${index}` }),
  };
  for (const [what, shareOf] of Object.entries(floods)) {
    test(`The hash queue accepts a flow immediately, and never rejects it, while another one floods it from ${what}`, async () => {
      const passwords = new PasswordHasher(1);
      const flood = Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          passwords.verify(undefined, 'a secret', shareOf(index)),
        ),
      );
      for (let login = 0; login < 6; login += 1) {
        const computedBefore = passwords.computed;
        const share = { flow: 'another tenant', source: 'elsewhere' };
        passwords.requireRoom(share);
        assert.equal(await passwords.verify(undefined, 'a secret', share), false);
        // The hash of the flood that was running, the login's own, and the next one.
        assert.ok(
          passwords.computed - computedBefore <= 3,
          `${passwords.computed - computedBefore}`,
        );
      }
      const outcomes = await flood;
      const refused = outcomes.filter(({ status }) => status === 'rejected').length;
      // Seven found no room, and the first new login displaced one.
      assert.ok(refused >= 8 && refused <= 8 + 5, `${refused}`);
    });
  }

  test('The hash queue accepts an address immediately while another one floods its tenant', async () => {
    const passwords = new PasswordHasher(1);
    const flood = Promise.allSettled(
      Array.from({ length: 40 }, () => passwords.verify(undefined, 'a secret', HOME)),
    );
    const computedBefore = passwords.computed;
    const share = { ...HOME, source: 'elsewhere' };
    assert.equal(await passwords.verify(undefined, 'a secret', share), false);
    assert.ok(passwords.computed - computedBefore <= 3);
    await flood;
  });

  test('The hash queue serves competing flows equally', async () => {
    const passwords = new PasswordHasher(1);
    const order: string[] = [];
    const shares = ['one', 'two', 'three'].map((flow) => ({ flow, source: '' }));
    const all = shares.flatMap((share) =>
      Array.from({ length: 40 }, async () => {
        await passwords.verify(undefined, 'a secret', share);
        order.push(share.flow);
      }),
    );
    const outcomes = await Promise.allSettled(all);
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(done, 1 + WAITING_PER_WORKER, 'no more than there is room for');
    for (const { flow } of shares) {
      const of = order.filter((entry) => entry === flow).length;
      assert.ok(of >= 10 && of <= 12, `${flow}: ${of}`);
      assert.ok(order.slice(0, 12).filter((entry) => entry === flow).length >= 3, order.join(' '));
    }
  });
});
