import { newUserId } from '@keywright/server/platform/crypto/ids';
import { hash } from '@node-rs/argon2';
import { PASSWORD } from './seed.ts';
import type { BenchDatabase } from './database.ts';

/** How many users the tenant of the `users-…` rows has. */
export const MILLION = 1_000_000;

const USERS_PER_STATEMENT = 50_000;
/** The age of the newest one, so that users who sign up during the run are newer. */
const AGE_SECONDS = 86_400;
const FIRST_NAMES = (
  'ada alan anna barbara carl dorothy edsger emmy frances grace hedy ida john katherine ' +
  'leslie margaret niklaus olga peter radia sofia tony ursula wang'
).split(' ');
const LAST_NAMES = (
  'adleman backus chandra dijkstra engelbart floyd goldwasser hamilton hopper iverson ' +
  'johnson knuth lamport liskov lovelace mccarthy noether okafor perlis ritchie schmidt ' +
  'tarjan turing ullman valiant wirth yao zimmermann'
).split(' ');
const COMPANIES = 5000;

/** Inserts users into these tenants round-robin, bypassing the API, with the rows that it would have written. */
export async function loadUsers(
  database: Pick<BenchDatabase, 'query'>,
  tenantIds: readonly string[],
  count: number,
): Promise<void> {
  const now = Date.now();
  const indexes = await dropSearchIndexes(database);
  const secretHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  for (let from = 0; from < count; from += USERS_PER_STATEMENT) {
    const numbers = Array.from(
      { length: Math.min(USERS_PER_STATEMENT, count - from) },
      (_, n) => from + n,
    );
    // A second apart, the last one the newest.
    const times = numbers.map((n) => new Date(now - (AGE_SECONDS + count - n) * 1000));
    await database.query(LOAD, [
      numbers.map((n) => tenantIds[n % tenantIds.length]),
      times.map(newUserId),
      times.map((time) => time.toISOString()),
      numbers.map(emailOf),
      secretHash,
      numbers.map(nameOf),
    ]);
  }
  for (const index of indexes) await database.query(index);
}

/**
 * Drops the search indexes, because creating the trigram index at the end takes a tenth of the time.
 *
 * @returns the statements that create it
 */
async function dropSearchIndexes(database: Pick<BenchDatabase, 'query'>): Promise<string[]> {
  const found = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename IN ('user_identifiers', 'users') AND indexdef LIKE '%USING gin%'`,
  );
  for (const { name } of found) await database.query(`DROP INDEX ${name}`);
  return found.map(({ definition }) => definition);
}

/** An address such as ada.lovelace.48213@corp-213.example.com; half of the addresses are at one provider. */
export function emailOf(number: number): string {
  const first = FIRST_NAMES[number % FIRST_NAMES.length];
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length];
  const domain =
    number % 2 === 0 ? 'mail.example' : `corp-${Math.floor(number / 2) % COMPANIES}.example.com`;
  return `${first}.${last}.${number}@${domain}`;
}

const capital = (word = '') => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A name such as Ada Lovelace Qo-Ba-Ri: many users share the first two words, few the last one. */
export function nameOf(number: number): string {
  const [first, last] = emailOf(number).split('.');
  const rest = [number % 97, Math.floor(number / 97) % 89, Math.floor(number / 8633)];
  const syllables = rest.map(
    (n) => `${CONSONANTS[n % CONSONANTS.length]}${VOWELS[n % VOWELS.length]}`,
  );
  return `${capital(first)} ${capital(last)} ${capital(syllables.join(''))}`;
}

const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const VOWELS = 'aeiou';

const LOAD = `
WITH loaded AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[])
    AS c (tenant_id, id, created_at, email)
), named AS (
  SELECT * FROM unnest($2::text[], $6::text[]) AS c (id, name)
), new_users AS (
  INSERT INTO users (tenant_id, id, created_at, name, name_key)
  SELECT tenant_id, id, created_at, name, lower(name) FROM loaded JOIN named USING (id)
), new_logins AS (
  INSERT INTO user_logins (tenant_id, user_id, last_login_at)
  SELECT tenant_id, id, date_trunc('minute', created_at + 3600 * random() * interval '1 s') FROM loaded
), new_identifiers AS (
  INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
  SELECT tenant_id, email, id, 'email', 0 FROM loaded
), new_credentials AS (
  INSERT INTO user_credentials (tenant_id, user_id, type, provider, secret_hash)
  SELECT tenant_id, id, 'password', 'local', $5 FROM loaded
)
INSERT INTO user_roles (tenant_id, user_id, role) SELECT tenant_id, id, 'member' FROM loaded`;
