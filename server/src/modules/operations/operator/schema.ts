import type { Database } from '../../../platform/db/database.ts';
import { findSchemaState, migrate, SchemaAhead } from '../../../platform/db/migrate.ts';
import { confirmOlderEntries } from '../../events/journal/index.ts';
import { OperatorError } from './failures.ts';
import type { Operator } from './operator.ts';

export interface MigrateResult {
  readonly applied: readonly string[];
  /** How many had been applied before. */
  readonly before: number;
}

/** Brings the schema up to this version. */
export async function migrateDatabase({
  database,
  system,
  log,
}: Pick<Operator, 'database' | 'system' | 'log'>): Promise<MigrateResult> {
  const { applied: before } = await findSchemaState(database);
  const applied = await migrate(database);
  await confirmOlderEntries(system, log);
  return { applied, before: before.length };
}

/** Every command but `migrate` works on the schema of this version, and leaves it as it is. */
export async function requireCurrentSchema(database: Database): Promise<void> {
  const { pending, unknown } = await findSchemaState(database);
  if (unknown.length > 0) throw new SchemaAhead(unknown);
  if (pending.length > 0) {
    throw new OperatorError(
      'SCHEMA_BEHIND',
      `The database lacks ${pending.join(', ')}: run "keywright migrate" first.`,
    );
  }
}
