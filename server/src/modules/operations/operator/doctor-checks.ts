import { findSchemaState } from '../../../platform/db/schema-state.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { IsolationBroken, checkIsolation, checkLoginRole } from '../../../tenancy/login-role.ts';
import type { SystemTx } from '../../../tenancy/gate.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import {
  findPlaceIfAllowed,
  findRecordedPlace,
  judgePlace,
  countDataKeys,
  findMasterKeyId,
  openDataKey,
  sampleDataKeys,
} from '../installation/index.ts';
import {
  findServerVersion,
  findStoredSettings,
  countSystemAdministrators,
  listDeletions,
  countTenants,
  listTenantsWithoutDataKey,
  listTenantsWithoutSigner,
} from './operator-store.ts';
import type { Operator } from './operator.ts';

/** The result of a check as shown to the reader: the state, and a remedy if something is wrong. */
export interface Finding {
  readonly isFine: boolean;
  readonly says: string;
  readonly advice?: string;
}

export interface CheckResult {
  readonly name: string;
  readonly state: 'ok' | 'finding' | 'skipped';
  readonly says: string;
  readonly advice?: string;
}

/** A check of an open database. */
export interface DatabaseCheck {
  readonly name: string;
  readonly look: (operator: Operator) => Promise<Finding>;
}

export function fine(says: string): Finding {
  return { isFine: true, says };
}

export function wrong(says: string, advice: string): Finding {
  return { isFine: false, says, advice };
}

export function resultOf(name: string, { isFine, says, advice }: Finding): CheckResult {
  const state = isFine ? 'ok' : 'finding';
  return { name, state, says, ...(advice === undefined ? {} : { advice }) };
}

const MOST_NAMED = 5;

/** Returns the first few, and the number of the others. */
function summarize(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** `1 tenant`, `3 tenants`. */
function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

const OLDEST_VERSION = 15;
const MOST_CLOCK_DIFFERENCE_MS = 5000;
/** A running service resumes interrupted deletions every five minutes. */
const DELETION_TAKES_MS = 15 * 60 * 1000;

/** Checks the version of the server, before anything else. */
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
      'Run that version; an older version must not use its schema.',
    );
  }
  if (isAhead) {
    return wrong('a newer version has replaced functions', 'Run that version.');
  }
  if (edited.length > 0) {
    return wrong(
      `${edited.join(', ')} differ from what was applied`,
      'Restore the files in server/migrations to their released content.',
    );
  }
  if (pending.length > 0) {
    return wrong(`${pending.join(', ')} not applied yet`, 'Run "keywright migrate".');
  }
  const outdated = [...functions.changed, ...functions.gone];
  if (outdated.length > 0) {
    return wrong(`outdated functions: ${outdated.join(', ')}`, 'Run "keywright migrate".');
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
    return wrong(error.message, 'Do not serve requests from this database until this is fixed.');
  }
  return fine('tenants cannot see rows of other tenants, and no role can bypass this');
}

/** Settings that the service cannot override make the connection fail with an error that names them. */
async function lookAtSettings({ database }: Operator): Promise<Finding> {
  const stored = await findStoredSettings(database);
  if (stored.length === 0) return fine('no role or database has conflicting settings');
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
  if (database.engine === 'embedded')
    return fine('not compared: a copied folder is indistinguishable from the original');
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
  if (deletions.length === 0) return fine('none in progress');
  const names = summarize(deletions.map((deletion) => deletion.tenant_id));
  const late = clock.now().getTime() - DELETION_TAKES_MS;
  if (!deletions.some((deletion) => deletion.deleted_at.getTime() < late)) {
    return fine(`${names} being deleted`);
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

/** Above this number of tenants, only a random sample of this many data keys is decrypted. */
const MOST_OPENED = 1000;

async function lookAtMasterKey({ system, masterKeys }: Operator): Promise<Finding> {
  return system.maintain('look at the master key', async (tx) => {
    const installed = await findMasterKeyId(tx);
    if (installed === undefined) {
      return wrong(
        'there is none yet: no service has started on this database',
        'Run "keywright serve", or "keywright admin create" before it.',
      );
    }
    const keys = masterKeys();
    return (
      findMissingKey(keys, installed) ??
      (await findClosedDataKeys(tx, keys)) ??
      (await lookAtRotation(tx, keys, installed))
    );
  });
}

function findMissingKey(keys: MasterKeys, installed: string): Finding | undefined {
  if (keys.ids.includes(installed)) return undefined;
  return wrong(
    `KEYWRIGHT_MASTER_KEY is not the master key of this database, which is ${installed}`,
    'Set it to the key that the database was created with, or last rotated to.',
  );
}

async function findClosedDataKeys(tx: SystemTx, keys: MasterKeys): Promise<Finding | undefined> {
  const without = await listTenantsWithoutDataKey(tx);
  if (without.length > 0) {
    return wrong(
      `these tenants have no data key: ${summarize(without)}`,
      'Restore their rows of tenant_data_keys from a backup.',
    );
  }
  const drawn = await sampleDataKeys(tx, MOST_OPENED);
  const closed = drawn
    .filter((stored) => !openDataKey(keys, stored))
    .map((stored) => stored.tenant_id);
  if (closed.length === 0) return undefined;
  return wrong(
    `${count(closed.length, 'data key')} cannot be opened: ${summarize(closed)}`,
    'Set KEYWRIGHT_MASTER_KEY_PREVIOUS to the previous master key, or restore the rows from a backup.',
  );
}

async function lookAtRotation(tx: SystemTx, keys: MasterKeys, installed: string): Promise<Finding> {
  const counts = await countDataKeys(tx);
  const all = [...counts.values()].reduce((sum, size) => sum + size, 0);
  const others = all - (counts.get(installed) ?? 0);
  if (others > 0) {
    return wrong(
      `a rotation was interrupted: ${count(others, 'data key')} of ${all} are under another master key`,
      'Run "keywright master-key rotate" again, with the same two keys.',
    );
  }
  if (keys.ids[0] !== installed) {
    return wrong(
      'the key in KEYWRIGHT_MASTER_KEY is not in use yet; the key in KEYWRIGHT_MASTER_KEY_PREVIOUS is',
      'When every node has both keys, run "keywright master-key rotate".',
    );
  }
  const opened = all > MOST_OPENED ? `${MOST_OPENED} of ${all} data keys, chosen at random` : all;
  const done = keys.ids.length > 1 ? '; KEYWRIGHT_MASTER_KEY_PREVIOUS is no longer needed' : '';
  return fine(`opens ${typeof opened === 'number' ? count(opened, 'data key') : opened}${done}`);
}

async function lookAtSigningKeys({ system, clock }: Operator): Promise<Finding> {
  const [without, all] = await system.maintain(
    'look for tenants without a signing key',
    async (tx) =>
      [await listTenantsWithoutSigner(tx, clock.now()), await countTenants(tx)] as const,
  );
  if (without.length === 0) return fine(`${count(all, 'tenant')}, each with a signing key`);
  return wrong(
    `these tenants have no signing key: ${summarize(without)}`,
    'Run "keywright key rotate --tenant <id> --immediately" for each.',
  );
}

export const KEY_CHECKS: readonly DatabaseCheck[] = [
  { name: 'master key', look: lookAtMasterKey },
  { name: 'signing keys', look: lookAtSigningKeys },
];
