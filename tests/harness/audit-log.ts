import type { TenantId } from '@keywright/contract/ids';
import pg from 'pg';
import { runCommand } from './command-line.ts';
import type { TestDatabase } from './database.ts';
import type { TestTenant } from './tenant.ts';

/** The result of `audit verify` for one log. */
export interface LogVerdict {
  readonly tenant_id: string;
  readonly is_intact: boolean;
  readonly entries: number;
  readonly waiting: number;
  readonly macs_checked: boolean;
  readonly findings: readonly {
    readonly problem: string;
    readonly position: number | null;
    readonly entry_id: string | null;
  }[];
}

export interface LogVerdicts {
  readonly is_intact: boolean;
  readonly logs: readonly LogVerdict[];
}

/** Runs `audit verify` as an operator who has the database and the master key. */
export function runVerify(
  { url }: Pick<TestDatabase, 'url'>,
  masterKey: string,
  ...args: readonly string[]
) {
  const env = { KEYWRIGHT_DATABASE_URL: url, KEYWRIGHT_MASTER_KEY: masterKey };
  return runCommand<LogVerdicts>(['audit', 'verify', ...args], { env });
}

/** The verdict on the log of one tenant in the database. */
export async function verdictOn(
  database: Pick<TestDatabase, 'url'>,
  masterKey: string,
  { id }: Pick<TestTenant, 'id'>,
): Promise<LogVerdict> {
  const { answer } = await runVerify(database, masterKey, `--tenant=${id}`, '--json');
  const [log] = answer.result.logs;
  if (!log) throw new Error(`There is no verdict on ${id}.`);
  return log;
}

/** The problems and their positions. */
export function problemsOf({ findings }: LogVerdict): (readonly [string, number | null])[] {
  return findings.map(({ problem, position }) => [problem, position]);
}

/** Runs `work` while no entry of the tenant is sealed. */
export async function whileUnsealed(
  { url }: Pick<TestDatabase, 'url'>,
  tenantId: TenantId,
  work: () => Promise<void>,
): Promise<void> {
  const holder = new pg.Client(url);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    const chain = `audit chain of ${tenantId}`;
    await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [chain]);
    await work();
    await holder.query('COMMIT');
  } finally {
    await holder.end();
  }
}
