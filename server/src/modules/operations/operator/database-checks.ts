import { checkIsolation, IsolationBroken } from '../../../tenancy/isolation-check.ts';
import { checkLoginRole } from '../../../tenancy/login-role.ts';
import { findSchemaState } from '../../../platform/db/schema-state.ts';
import { findPlaceIfAllowed, findRecordedPlace, judgePlace } from '../installation/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { type DatabaseCheck, type Finding, count, fine, someOf, wrong } from './check.ts';
import { findServerVersion, findStoredSettings } from './inspection-store.ts';
import type { Operator } from './operator.ts';
import { countSystemAdministrators, listDeletions } from './store.ts';

const OLDEST_VERSION = 15;
const MOST_CLOCK_DIFFERENCE_MS = 5000;
/** A running service resumes interrupted deletions every five minutes. */
const DELETION_TAKES_MS = 15 * 60 * 1000;

/** First of all, the version of the server. */
export async function lookAtServer({ database }: Operator): Promise<Finding> {
  const { name, number } = await findServerVersion(database);
  const says = `PostgreSQL ${name}${database.engine === 'embedded' ? ', embedded' : ''}`;
  return number >= OLDEST_VERSION * 10_000
    ? fine(says)
    : wrong(says, `Keywright needs PostgreSQL ${OLDEST_VERSION} or newer.`);
}

export async function lookAtSchema({ database }: Operator): Promise<Finding> {
  const { applied, pending, edited, unknown, functions, isAhead } = await findSchemaState(database);
  if (unknown.length > 0) {
    return wrong(
      `a newer version has applied ${unknown.join(', ')}`,
      'Run that version; an older one must not work on its schema.',
    );
  }
  if (isAhead) {
    return wrong('a newer version has replaced functions', 'Run that version.');
  }
  if (edited.length > 0) {
    return wrong(
      `${edited.join(', ')} differ from what was applied`,
      'Put the files in server/migrations back as they were released.',
    );
  }
  if (pending.length > 0) {
    return wrong(`${pending.join(', ')} not applied yet`, 'Run "keywright migrate".');
  }
  const outdated = [...functions.changed, ...functions.gone];
  if (outdated.length > 0) {
    return wrong(`other functions: ${outdated.join(', ')}`, 'Run "keywright migrate".');
  }
  return fine(`all ${applied.length} applied, none edited`);
}

async function lookAtIsolation({ database, gate, system }: Operator): Promise<Finding> {
  const unusable = await checkLoginRole(database);
  if (unusable) {
    const { role, problems } = unusable;
    return wrong(
      `the role ${role}: ${problems.map(({ says }) => says).join('; ')}`,
      `As a superuser: ${problems.flatMap(({ statements }) => statements).join(' ')}`,
    );
  }
  try {
    await checkIsolation(gate, system);
  } catch (error) {
    if (!(error instanceof IsolationBroken)) throw error;
    return wrong(error.message, 'Serve nothing from this database before that is mended.');
  }
  return fine('no tenant sees another, and no role gets around that');
}

/** Settings that the service cannot override fail the connection, and its error names them. */
async function lookAtSettings({ database }: Operator): Promise<Finding> {
  const stored = await findStoredSettings(database);
  if (stored.length === 0) return fine('no role or database has a conflicting setting');
  return wrong(
    stored.map(({ name, value, place }) => `${name} is ${value} for ${place}`).join('; '),
    `Keywright overrides them, but they affect other programs. To reset them: ${stored.map(({ reset }) => reset).join(' ')}`,
  );
}

async function lookAtClock({ database: { clock } }: Operator): Promise<Finding> {
  await clock.measure();
  const apart = Math.round(Math.abs(clock.aheadMs));
  if (apart < MOST_CLOCK_DIFFERENCE_MS) return fine(`${apart} ms from the database's`);
  return wrong(
    `${(apart / 1000).toFixed(1)} s ${clock.aheadMs < 0 ? 'behind' : 'ahead of'} the database's`,
    'Synchronize the clocks of both machines by NTP: the service does not start if they differ by more than a minute.',
  );
}

async function lookAtPlace({ database, system, log }: Operator): Promise<Finding> {
  if (database.engine === 'embedded') return fine('not compared: a copy of a folder is identical');
  const found = await findPlaceIfAllowed(system, log);
  if (!found)
    return fine('not compared: the server does not allow reading the identity of the database');
  const recorded = await system.maintain('read the place of the database', findRecordedPlace);
  const verdict = judgePlace(recorded, found);
  if (verdict.kind === 'unrecorded') return fine('no service has run on this database yet');
  if (verdict.kind !== 'elsewhere') return fine('the service last ran on this database');
  return wrong(
    `it was restored or moved: ${verdict.difference}`,
    'Stop every node, and run "keywright after-restore": see "keywright help after-restore".',
  );
}

async function lookForAdministrators({ system }: Operator): Promise<Finding> {
  const there = await system.maintain('count system administrators', (tx) =>
    countSystemAdministrators(tx, SYSTEM_ADMIN),
  );
  if (there > 0) return fine(count(there, 'active system administrator'));
  return wrong(
    'there is no active system administrator',
    'Run "keywright admin create --identifier you@example.com".',
  );
}

async function lookAtDeletions({ system, clock }: Operator): Promise<Finding> {
  const deletions = await system.maintain('look for tenant deletions', listDeletions);
  if (deletions.length === 0) return fine('none is under way');
  const names = someOf(deletions.map((one) => one.tenant_id));
  const late = clock.now().getTime() - DELETION_TAKES_MS;
  if (!deletions.some((one) => one.deleted_at.getTime() < late)) {
    return fine(`${names} being cleared away`);
  }
  return wrong(
    `interrupted: ${names}`,
    'Start the service: it resumes the deletion at startup and every five minutes.',
  );
}

/** The checks of a database whose schema is that of this version. */
export const DATABASE_CHECKS: readonly DatabaseCheck[] = [
  { name: 'isolation', look: lookAtIsolation },
  { name: 'place', look: lookAtPlace },
  { name: 'settings', look: lookAtSettings },
  { name: 'clock', look: lookAtClock },
  { name: 'administrator', look: lookForAdministrators },
  { name: 'deletions', look: lookAtDeletions },
];
