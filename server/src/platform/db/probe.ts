import { type Database, statement } from './database.ts';

const PATIENCE_MS = 2000;
const probe = statement('kw_probe', 'SELECT 1 AS one');

/** Whether the database takes a statement within two seconds. */
export async function databaseAnswers(database: Database): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), PATIENCE_MS);
  const answered = database.run(probe, []).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
