import { type Config, ConfigError } from '../../../platform/config.ts';
import { reasonOf } from '../../../platform/reason.ts';
import { lookAtBaseUrl, lookAtPort, lookAtProxies } from './address-checks.ts';
import {
  type CheckResult,
  type DatabaseCheck,
  resultOf,
  wrong,
  DATABASE_CHECKS,
  lookAtSchema,
  lookAtServer,
  KEY_CHECKS,
} from './doctor-checks.ts';
import { describeFailure, ACTOR, type Operator } from './operator.ts';
import { listPublishableKeys } from './operator-store.ts';

/** `unreachable` and `in_use`: why the database could not be checked. */
export interface Report {
  readonly verdict: 'healthy' | 'findings' | 'unreachable' | 'in_use';
  readonly checks: readonly CheckResult[];
}

/** Opens the database for the duration of `work`. */
export type WithOperator = <T>(work: (operator: Operator) => Promise<T>) => Promise<T>;

interface DatabaseReport {
  readonly checks: readonly CheckResult[];
  readonly ownKeys?: readonly string[];
  readonly closedBecause?: 'unreachable' | 'in_use';
}

/** Checks everything on which an installation depends, and changes nothing. */
export async function examine(
  config: Config | ConfigError,
  withOperator: WithOperator,
): Promise<Report> {
  if (config instanceof ConfigError) return reportOfEnvironment(config);
  const { checks, ownKeys, closedBecause } = await examineDatabase(withOperator);
  const all = [
    ...checks,
    resultOf('base URL', await lookAtBaseUrl(config, ownKeys)),
    resultOf('proxies', await lookAtProxies(config)),
    resultOf('port', await lookAtPort(config, ownKeys)),
  ];
  const hasFindings = all.some((check) => check.state === 'finding');
  return { verdict: closedBecause ?? (hasFindings ? 'findings' : 'healthy'), checks: all };
}

function reportOfEnvironment({ violations }: ConfigError): Report {
  const advice = 'Fix these settings; nothing else was checked.';
  return {
    verdict: 'findings',
    checks: [resultOf('environment', wrong(violations.join(' '), advice))],
  };
}

async function examineDatabase(withOperator: WithOperator): Promise<DatabaseReport> {
  try {
    return await withOperator(examineOpenDatabase);
  } catch (error) {
    return reportOfClosed(error);
  }
}

async function examineOpenDatabase(operator: Operator): Promise<DatabaseReport> {
  const server = await look({ name: 'database', look: lookAtServer }, operator);
  const schema = await look({ name: 'migrations', look: lookAtSchema }, operator);
  const checks: CheckResult[] = [server, schema];
  if (schema.state !== 'ok') {
    return { checks: [...checks, ...skipped('the schema is not that of this version')] };
  }
  for (const check of ALL_CHECKS) checks.push(await look(check, operator));
  const ownKeys = await operator.system
    .run(ACTOR, 'look at the published keys', listPublishableKeys)
    .catch(() => undefined);
  return { checks, ...(ownKeys ? { ownKeys } : {}) };
}

const ALL_CHECKS: readonly DatabaseCheck[] = [...DATABASE_CHECKS, ...KEY_CHECKS];

/** Reports a check that fails to run as a finding; later checks still run. */
async function look(check: DatabaseCheck, operator: Operator): Promise<CheckResult> {
  try {
    return resultOf(check.name, await check.look(operator));
  } catch (error) {
    const says = `could not be checked: ${reasonOf(error)}`;
    return resultOf(check.name, wrong(says, 'See to the findings above this one first.'));
  }
}

function skipped(why: string): CheckResult[] {
  return ALL_CHECKS.map(({ name }) => ({
    name,
    state: 'skipped',
    says: `not looked at: ${why}`,
  }));
}

const ADVICE: Readonly<Record<string, string>> = {
  UNREACHABLE: 'See that the server runs, and to KEYWRIGHT_DATABASE_URL.',
  SETTINGS_UNUSABLE: 'Run these statements, or correct the configuration of the server.',
  IN_USE: 'Stop it to have its database looked at; on PostgreSQL that goes while the service runs.',
  NO_DATABASE: 'Run "keywright serve" or "keywright migrate", or set KEYWRIGHT_DATABASE_URL.',
};

function reportOfClosed(error: unknown): DatabaseReport {
  const { code, message } = describeFailure(error);
  const advice = ADVICE[code] ?? 'See to the database.';
  const checks = [
    resultOf('database', wrong(message, advice)),
    {
      name: 'migrations',
      state: 'skipped',
      says: 'not looked at: the database is closed',
    } as const,
    ...skipped('the database is closed'),
  ];
  if (code === 'UNREACHABLE') return { checks, closedBecause: 'unreachable' };
  if (code === 'IN_USE') return { checks, closedBecause: 'in_use' };
  return { checks };
}
