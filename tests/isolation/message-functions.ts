import assert from 'node:assert/strict';
import { findSuppression } from '../../server/sql/events/kw_find_suppression.ts';
import { readMessageSender } from '../../server/sql/events/kw_read_message_sender.ts';
import { type Check, NOW } from './function-check.ts';
import type { Seeded } from './seed.ts';

const [FIRST, SECOND] = [Buffer.from('first'), Buffer.from('second')];
const COUNTED = `(SELECT string_agg(tenant_id || ' ' || convert_from(subject, 'UTF8') || ' ' || attempts, ', ' ORDER BY subject)
                    FROM login_attempts WHERE subject IN ('first', 'second'))`;

function messageOf({ userId }: Seeded): string {
  return `msg_${userId}`;
}

function laterThan(time: Date): Date {
  return new Date(time.getTime() + 60_000);
}

/** The functions that messages go through. */
export const MESSAGE_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_admit_message: async ({ local, rows, value, asOwner }) => {
    const counts = (n: number) => `${local.tenantId} first ${n}, ${local.tenantId} second ${n}`;
    const admit = (reserves: readonly (number | null)[]) =>
      rows(
        'kw_admit_message($1, $2, $3, $4, $5, $6)',
        local.tenantId,
        [FIRST, SECOND],
        [2, 1],
        [60, 90],
        reserves,
        NOW,
      );
    assert.deepEqual(await admit([0, 0]), []);
    assert.equal(await value(COUNTED), counts(1));
    assert.deepEqual(await admit([0, 5]), [{ place: 2, retry_after: 90 }], 'no network is new');
    assert.deepEqual(await admit([0, 0]), [{ place: 1, retry_after: 60 }], 'the first one refuses');
    assert.deepEqual(await admit([null, 5]), [{ place: 2, retry_after: 90 }], 'no longer new');
    await asOwner(
      `UPDATE login_attempts SET attempts = 1 WHERE subject = '\\x${FIRST.toString('hex')}'`,
    );
    assert.deepEqual(await admit([null, 5]), [], 'a new network uses the reserve');
    assert.equal(await value('current_user::text'), 'keywright_tenant');
  },
  kw_admit_sms: async ({ local, rows, value, asOwner }) => {
    const counts = (n: number) => `${local.tenantId} first ${n}, ${local.tenantId} second ${n}`;
    // An address can request messages to one country, and its network to two.
    const admit = (country: string, address = 'address') =>
      rows(
        'kw_admit_sms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
        local.tenantId,
        country,
        [Buffer.from(`${address} ${country}`), Buffer.from(`network ${country}`)],
        [Buffer.from(address), Buffer.from('network')],
        [1, 2],
        [FIRST, SECOND],
        [9, 9],
        [60, 90],
        [0, 0],
        NOW,
      );
    const failing = { retry_after: null, is_failing: true };
    assert.deepEqual(await admit('DE'), [failing], 'few codes were used');
    assert.equal(await value(COUNTED), null, 'nothing is counted then');
    const traffic = (tenantId: string, set: string) =>
      asOwner(`UPDATE sms_traffic SET ${set} WHERE tenant_id = '${tenantId}'`);
    await traffic(local.tenantId, `redeemed = 50`);
    const admitted = { retry_after: null, is_failing: false };
    assert.deepEqual(await admit('DE'), [admitted], 'that of another tenant is failing');
    assert.equal(await value(COUNTED), counts(1));
    assert.deepEqual(await admit('AT'), [{ ...admitted, retry_after: 86_400 }], 'a second country');
    assert.deepEqual(await admit('DE'), [admitted]);
    assert.equal(await value(COUNTED), counts(2));
    assert.deepEqual(await admit('AT', 'another address'), [admitted]);
    const third = [{ ...admitted, retry_after: 86_400 }];
    assert.deepEqual(await admit('CH', 'a third address'), third, 'of the network');
    assert.deepEqual(await admit('DE', 'a third address'), third, 'it has used its own');
    await traffic(local.tenantId, `paused_until = '${NOW.toISOString()}'::timestamptz + '9 s'`);
    assert.deepEqual(await admit('DE'), [{ ...admitted, retry_after: 9 }]);
  },
  kw_is_sms_failing: async ({ value }) => {
    const numbers = [
      [49, 0],
      [50, 9],
      [50, 10],
      [100, 19],
    ];
    const judged = numbers.map((pair) => value('kw_is_sms_failing($1, $2)', ...pair));
    assert.deepEqual(await Promise.all(judged), [false, true, false, true]);
  },
  kw_pause_sms: async ({ local, foreign, rows, value }) => {
    const pause = () => rows('kw_pause_sms($1, $2, $3)', local.tenantId, 'DE', NOW);
    assert.deepEqual(await pause(), [{ sent: 50, redeemed: 0 }]);
    assert.deepEqual(await pause(), []);
    const counted = '(SELECT sum(sent) FROM sms_traffic)::integer';
    assert.equal(await value(counted), 0);
    await value('kw_enter($1)', foreign.tenantId);
    assert.equal(await value(counted), 50);
  },
  kw_count_sms: async ({ local, foreign, value }) => {
    const counted = `(SELECT string_agg(country || ' ' || sent || ' ' || redeemed, ', ' ORDER BY country) FROM sms_traffic)`;
    const count = (country: string, sent: number, redeemed: number) =>
      value('kw_count_sms($1, $2, $3, $4)', local.tenantId, country, sent, redeemed);
    await count('AT', 1, 0);
    await count('DE', 1, 0);
    assert.equal(await value(counted), 'AT 1 0, DE 51 0', 'a failing one continues');
    await count('DE', 0, 20);
    await count('DE', 1, 0);
    assert.equal(await value(counted), 'AT 1 0, DE 1 0', 'another starts again');
    await value('kw_enter($1)', foreign.tenantId);
    assert.equal(await value(counted), 'DE 50 0');
  },
  kw_texts_of_mail: async ({ local, foreign, value, asOwner }) => {
    await asOwner(
      `INSERT INTO tenant_texts (tenant_id, locale, key, text, updated_at)
       VALUES ('${local.tenantId}', 'de', 'mail.help', 'h', now())`,
    );
    await value('kw_enter($1)', local.tenantId);
    const texts = [{ locale: 'de', key: 'mail.help', text: 'h' }];
    assert.deepEqual(await value('kw_texts_of_mail($1)', local.tenantId), texts);
    assert.deepEqual(await value('kw_texts_of_mail($1)', foreign.tenantId), []);
  },
  kw_stored_logos: async ({ local, foreign, value, asOwner }) => {
    await asOwner(
      `UPDATE logos SET status = 'stored', digest = '\\x0a', content_type = 'image/png', image = '\\x00'
        WHERE tenant_id = '${local.tenantId}'`,
    );
    await value('kw_enter($1)', local.tenantId);
    const stored = [{ kind: 'logo', digest: '0a' }];
    assert.deepEqual(await value('kw_stored_logos($1)', local.tenantId), stored);
    assert.deepEqual(await value('kw_stored_logos($1)', foreign.tenantId), []);
  },
  kw_read_message_sender: async ({ local, foreign, rows, batch, deleteTenant }) => {
    const [sender] = await rows('kw_read_message_sender($1, $2)', local.tenantId, 'login');
    assert.deepEqual(sender?.['templates'], [{ locale: 'en', subject: 's', text: 't' }]);
    const kinds = ['login', 'login', 'recovery'];
    const items = [local, foreign, local].map(({ tenantId: tenant }, index) => ({
      tenant,
      kind: kinds[index],
    }));
    const read = async () => {
      const found = await batch(readMessageSender, ...items);
      return found.map((row) => [row['place'], row['name'], row['wrapped_key']]);
    };
    const [first, second, third] = await read();
    assert.deepEqual([first?.[0], second?.[0], third?.[0]], [1, 2, 3]);
    assert.deepEqual(first?.slice(1), third?.slice(1));
    assert.notDeepEqual(first?.slice(1), second?.slice(1));
    await deleteTenant();
    assert.deepEqual(await read(), [second]);
  },
  kw_find_suppression: async ({ local, foreign, value, batch, asOwner }) => {
    await asOwner(
      `UPDATE suppressions SET reason = 'complaint' WHERE tenant_id = '${local.tenantId}'`,
    );
    const find = (tenantId: string) => value('kw_find_suppression($1, $2)', tenantId, 'x');
    assert.equal(await find(local.tenantId), 'complaint');
    assert.equal(await find(foreign.tenantId), 'bounce');
    const items = [local, local, foreign].map(({ tenantId: tenant }) => ({ tenant, id: 'x' }));
    items[1] = { tenant: local.tenantId, id: 'unknown' };
    const found = await batch(findSuppression, ...items);
    assert.deepEqual(
      found.map(({ place, answer }) => [place, answer]),
      [
        [1, 'complaint'],
        [2, null],
        [3, 'bounce'],
      ],
    );
  },

  kw_claim_messages: async ({ local, rows }) => {
    const claim = async (limit: number, now = NOW, key = 'email') => {
      const values = [[local.tenantId], [key], [limit], now, laterThan(now)];
      const found = await rows('kw_claim_messages($1, $2, $3, $4, $5)', ...values);
      return found.map((row) => `${String(row['id'])} ${String(row['takes'])}`);
    };
    assert.deepEqual(await claim(0), []);
    assert.deepEqual(await claim(9, NOW, 'sms'), []);
    assert.deepEqual(await claim(9, new Date(0)), [], 'it is not due');
    assert.deepEqual(
      await claim(9),
      [`${messageOf(local)} 1`],
      'that of another tenant is due, too',
    );
    assert.deepEqual(await claim(9), [], 'until the lease ends, no other node gets it');
    const taken = await claim(9, laterThan(NOW));
    assert.deepEqual(taken, [`${messageOf(local)} 2`], 'it is taken over then');
  },

  kw_finish_messages: async ({ local, foreign, value, rows }) => {
    const finish = async (message: Seeded, takes: number, status: string) => {
      const result = {
        id: messageOf(message),
        takes,
        status,
        attempts: 1,
        due_at: NOW,
        reason: 'x',
      };
      await value('kw_finish_messages($1, $2)', [local.tenantId], [JSON.stringify([result])]);
      const [row] = await rows('messages');
      return [row?.['status'], row?.['takes'], row?.['attempts'], row?.['held_until']];
    };
    const claim = (now: Date) =>
      rows(
        'kw_claim_messages($1, $2, $3, $4, $5)',
        [local.tenantId],
        ['email'],
        [1],
        now,
        laterThan(now),
      );
    await claim(NOW);
    await claim(laterThan(NOW));
    const pending = ['pending', 2, 0, laterThan(laterThan(NOW))];
    assert.deepEqual(await finish(foreign, 0, 'done'), pending);
    assert.deepEqual(
      await finish(local, 1, 'done'),
      pending,
      'what was taken over stays with the other',
    );
    assert.deepEqual(await finish(local, 2, 'done'), ['done', 2, 1, null]);
    assert.deepEqual(
      await finish(local, 2, 'failed'),
      ['done', 2, 1, null],
      'the first result holds',
    );
  },
};
