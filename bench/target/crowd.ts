import { newUserId } from '@keywright/server/platform/crypto/ids';
import { hash } from '@node-rs/argon2';
import { PASSWORD } from './seed.ts';
import type { BenchDatabase } from './database.ts';

/** How many people the rows about many people are measured beside. */
export const CROWD = 1_000_000;

/** People in one statement. */
const AT_A_TIME = 50_000;
/** The newest one is as old as this, so that who signs up during the run is newer. */
const AGE_SECONDS = 86_400;
const FIRST = [
  'ada',
  'alan',
  'anna',
  'barbara',
  'carl',
  'dorothy',
  'edsger',
  'emmy',
  'frances',
  'grace',
  'hedy',
  'ida',
  'john',
  'katherine',
  'leslie',
  'margaret',
  'niklaus',
  'olga',
  'peter',
  'radia',
  'sofia',
  'tony',
  'ursula',
  'wang',
];
const LAST = [
  'adleman',
  'backus',
  'chandra',
  'dijkstra',
  'engelbart',
  'floyd',
  'goldwasser',
  'hamilton',
  'hopper',
  'iverson',
  'johnson',
  'knuth',
  'lamport',
  'liskov',
  'lovelace',
  'mccarthy',
  'noether',
  'okafor',
  'perlis',
  'ritchie',
  'schmidt',
  'tarjan',
  'turing',
  'ullman',
  'valiant',
  'wirth',
  'yao',
  'zimmermann',
];
/** Every so many people work for the same company. */
const COMPANIES = 5000;

/** Loads that many people into tenants that are there, in turn, past the API: the rows that it would have written. */
export async function loadCrowd(
  database: BenchDatabase,
  tenantIds: readonly string[],
  count: number,
): Promise<void> {
  const now = Date.now();
  const indexes = await dropPartIndexes(database);
  const secretHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  for (let from = 0; from < count; from += AT_A_TIME) {
    const numbers = Array.from({ length: Math.min(AT_A_TIME, count - from) }, (_, n) => from + n);
    // A second apart, the last one the newest.
    const times = numbers.map((n) => new Date(now - (AGE_SECONDS + count - n) * 1000));
    await database.query(LOAD, [
      numbers.map((n) => tenantIds[n % tenantIds.length]),
      times.map(newUserId),
      times.map((time) => time.toISOString()),
      numbers.map(emailOf),
      secretHash,
    ]);
  }
  for (const index of indexes) await database.query(index);
}

/** Making the index on parts of addresses at the end takes a tenth of keeping it meanwhile. @returns how to make it */
async function dropPartIndexes(database: BenchDatabase): Promise<string[]> {
  const found = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'user_identifiers' AND indexdef LIKE '%USING gin%'`,
  );
  for (const { name } of found) await database.query(`DROP INDEX ${name}`);
  return found.map(({ definition }) => definition);
}

/** Such as ada.lovelace.48213@corp-213.example.com; half of them at one provider. */
export function emailOf(number: number): string {
  const first = FIRST[number % FIRST.length];
  const last = LAST[Math.floor(number / FIRST.length) % LAST.length];
  const domain =
    number % 2 === 0 ? 'mail.example' : `corp-${Math.floor(number / 2) % COMPANIES}.example.com`;
  return `${first}.${last}.${number}@${domain}`;
}

// One statement: nothing of a person is there without the rest.
const LOAD = `
WITH crowd AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[])
    AS c (tenant_id, id, created_at, email)
), new_users AS (
  INSERT INTO users (tenant_id, id, created_at) SELECT tenant_id, id, created_at FROM crowd
), new_identifiers AS (
  INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
  SELECT tenant_id, email, id, 'email', 0 FROM crowd
), new_credentials AS (
  INSERT INTO user_credentials (tenant_id, user_id, type, provider, secret_hash)
  SELECT tenant_id, id, 'password', 'local', $5 FROM crowd
)
INSERT INTO user_roles (tenant_id, user_id, role) SELECT tenant_id, id, 'member' FROM crowd`;
