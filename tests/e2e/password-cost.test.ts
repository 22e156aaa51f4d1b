// The tests hash passwords at a lower cost. A service that is started cannot.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@keywright/server/platform/environment';
import { isSource, listFiles } from '../../tools/check/source-files.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { startServerProcess } from '../harness/process.ts';
import { databaseDirectory } from '../harness/temporary.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const masterKey = () => randomBytes(32).toString('base64');

test('A service with every environment variable set hashes passwords with 19 MiB and two passes (SPEC authentication 8)', async () => {
  const database = await createDatabase();
  const folder = await databaseDirectory('data');
  const env: Required<Environment> = {
    KEYWRIGHT_HOST: '127.0.0.1',
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_DOCS_URL: 'https://docs.example.com',
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_STATEMENT_TIMEOUT_MS: '30000',
    KEYWRIGHT_DATA_DIR: folder,
    KEYWRIGHT_MASTER_KEY: masterKey(),
    KEYWRIGHT_MASTER_KEY_PREVIOUS: masterKey(),
    KEYWRIGHT_ADMIN_IDENTIFIER: newIdentifier(),
    KEYWRIGHT_ADMIN_SECRET: newPassword(),
    KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/8',
    KEYWRIGHT_EGRESS_ALLOW: '10.0.0.0/8',
    KEYWRIGHT_DEMO_PROVIDER: 'http://localhost:9',
    KEYWRIGHT_BREACHED_PASSWORDS_URL: 'http://127.0.0.1:9',
    KEYWRIGHT_BREACHED_PASSWORDS_FILE: join(folder, 'breached.bin'),
    KEYWRIGHT_SMTP_URL: 'smtp://127.0.0.1:9',
    KEYWRIGHT_MAIL_FROM: 'no-reply@example.com',
    KEYWRIGHT_MAX_CONNECTIONS: '100',
    KEYWRIGHT_STATUS_STREAMS: '10',
    KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: '10',
    KEYWRIGHT_METRICS_PORT: '0',
    KEYWRIGHT_WORKERS: '1',
    KEYWRIGHT_LOG_LEVEL: 'info',
    NODE_ENV: 'test',
  };
  const service = await startServerProcess({ env });
  const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
  expectStatus(200, await service.http.request('POST', '/auth/login', { body }));
  const schemes = await database.query(
    "SELECT scheme FROM user_credentials WHERE type = 'password'",
  );
  const scheme = '$argon2id$v=19$m=19456,t=2,p=1';
  assert.deepEqual(schemes, [{ scheme }, { scheme }], 'of the administrator and of the new user');
  await service.interrupt();
  await database.drop();
});

test('The cost of password hashes is set only by the test harness', () => {
  const sources = listFiles(ROOT).filter((file) => isSource(file) && !file.endsWith('.test.ts'));
  const naming = (word: RegExp) =>
    sources.filter((file) => word.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(naming(/\bpasswordCost\b/), [
    'server/src/app.ts',
    'server/src/foundation.ts',
    'tests/harness/keywright.ts',
  ]);
  assert.deepEqual(naming(/new PasswordHasher\([^)\n]*,/), ['server/src/foundation.ts']);
});
