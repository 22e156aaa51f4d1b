import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { startKeywright } from '@keywright/tests/harness/keywright';

test('The page of parts is shown in development, in each language, with forms that lead nowhere', async () => {
  const env = { KEYWRIGHT_BASE_URL: 'http://localhost:8080' };
  const keywright = await startKeywright({ engine: 'pglite', env });
  try {
    for (const locale of TEXT_LOCALES) {
      const answer = await keywright.request('GET', `/dev/parts?locale=${locale}`);
      assert.equal(answer.status, 200);
      assert.match(answer.text, new RegExp(`<html lang="${locale}"`));
      assert.match(String(answer.headers['content-security-policy']), /form-action 'none'/);
    }
    const wrong = await keywright.request('GET', '/dev/parts?locale=xx');
    assert.equal(wrong.status, 400);
  } finally {
    await keywright.close();
  }
});

test('The page of parts does not exist in production', async () => {
  const keywright = await startKeywright();
  try {
    assert.equal((await keywright.request('GET', '/dev/parts')).status, 404);
  } finally {
    await keywright.close();
  }
});
