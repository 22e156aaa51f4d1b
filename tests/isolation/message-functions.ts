import assert from 'node:assert/strict';
import { type Check, NOW } from './function-check.ts';

const [FIRST, SECOND] = [Buffer.from('first'), Buffer.from('second')];
const COUNTED = `(SELECT string_agg(tenant_id || ' ' || convert_from(subject, 'UTF8') || ' ' || attempts, ', ' ORDER BY subject)
                    FROM login_attempts WHERE subject IN ('first', 'second'))`;

/** The functions that messages go through. */
export const MESSAGE_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_admit_message: async ({ own, value }) => {
    const admit = () =>
      value(
        'kw_admit_message($1, $2, $3, $4, 1, $5)',
        own.tenantId,
        [FIRST, SECOND],
        [2, 1],
        [60, 90],
        NOW,
      );
    assert.equal(await admit(), null);
    assert.equal(await value(COUNTED), `${own.tenantId} first 1`, 'the tenant sees its own alone');
    assert.equal(await admit(), 90, 'that of the installation refuses');
    assert.equal(await admit(), 60, 'that of the tenant refuses first');
    assert.equal(await value('current_user::text'), 'keywright_tenant');
  },
  kw_read_sender: async ({ own, foreign, rows, deleteOwn }) => {
    const [sender] = await rows('kw_read_sender($1, $2)', own.tenantId, 'login');
    const [other] = await rows('kw_read_sender($1, $2)', foreign.tenantId, 'login');
    assert.notDeepEqual(sender?.['wrapped_key'], other?.['wrapped_key']);
    assert.deepEqual(sender?.['templates'], [{ locale: 'en', subject: 's', text: 't' }]);
    await deleteOwn();
    assert.deepEqual(await rows('kw_read_sender($1, $2)', own.tenantId, 'login'), []);
  },

  kw_read_senders: async ({ own, foreign, rows, deleteOwn }) => {
    const read = async () => {
      const tenants = [own, foreign, own].map(({ tenantId }) => tenantId);
      const found = await rows('kw_read_senders($1, $2)', tenants, ['login', 'login', 'recovery']);
      return found.map((row) => [row['place'], row['name'], row['wrapped_key']]);
    };
    const [first, second, third] = await read();
    assert.deepEqual([first?.[0], second?.[0], third?.[0]], [1, 2, 3]);
    assert.deepEqual(first?.slice(1), third?.slice(1));
    assert.notDeepEqual(first?.slice(1), second?.slice(1));
    await deleteOwn();
    assert.deepEqual(await read(), [second]);
  },

  kw_find_suppression: async ({ own, foreign, rows, asOwner }) => {
    await asOwner(
      `UPDATE suppressions SET reason = 'complaint' WHERE tenant_id = '${own.tenantId}'`,
    );
    const find = (tenantId: string) => rows('kw_find_suppression($1, $2)', tenantId, 'x');
    assert.deepEqual(await find(own.tenantId), [{ reason: 'complaint' }]);
    assert.deepEqual(await find(foreign.tenantId), [{ reason: 'bounce' }]);
  },
  kw_find_suppressions: async ({ own, foreign, rows, asOwner }) => {
    await asOwner(
      `UPDATE suppressions SET reason = 'complaint' WHERE tenant_id = '${own.tenantId}'`,
    );
    const tenants = [own, own, foreign].map(({ tenantId }) => tenantId);
    assert.deepEqual(await rows('kw_find_suppressions($1, $2)', tenants, ['x', 'unknown', 'x']), [
      { place: 1, reason: 'complaint' },
      { place: 3, reason: 'bounce' },
    ]);
  },
};
