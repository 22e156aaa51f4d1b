import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import { type SystemTx, asTenant } from '../../../tenancy/gate.ts';
import { moveRestoredEvents, recordMaintenance } from '../../events/journal/index.ts';
import { endAllSessions } from '../../tokens/sessions/index.ts';
import { replaceKeysIn } from '../../tokens/signing-keys/index.ts';
import { skipUsedNumbers } from '../../tokens/status-lists/index.ts';
import {
  findPlaceIfAllowed,
  lockInstallation,
  type Place,
  recordPlace,
} from '../installation/index.ts';
import { OperatorError, ACTOR, type Operator } from './operator.ts';
import {
  countRestored,
  deleteUnfinished,
  deleteNodes,
  isServing,
  listDataKeys,
  type Restored,
} from './restore-store.ts';

interface RestoreInput {
  readonly taken_at?: string;
  readonly nothing_lost?: boolean;
}

export interface RestoreReport {
  /** Null if nothing was lost, and nothing was changed. */
  readonly taken_at: string | null;
  readonly tenants: number;
  readonly keys_retired: number;
  readonly sessions_ended: number;
  /** Deleted rows by table. */
  readonly deleted: Readonly<Record<string, number>>;
  /** Number of records in the state of the backup, whether or not they changed afterward. */
  readonly as_of_backup: Restored | null;
}

/**
 * Makes a restored database safe to serve, in one transaction: tokens, sessions, codes and links from before the
 * restore are rejected, since each might have been used, replaced or revoked after the backup. Passwords, API keys
 * and everything else that administrators and users manage retain the state of the backup.
 */
export async function afterRestore(
  operator: Operator,
  { taken_at: timestamp, nothing_lost: nothingLost = false }: RestoreInput,
): Promise<RestoreReport> {
  if ((timestamp !== undefined) === nothingLost) {
    throw new OperatorError('USAGE', 'Either --taken-at or --nothing-lost is required.');
  }
  const { system, log, database, clock } = operator;
  const takenAt = timestamp === undefined ? undefined : requireTime(timestamp, clock.now());
  if (await isServing(database)) {
    throw new OperatorError(
      'SERVICE_RUNNING',
      'Stop every node first: the service is using this database.',
    );
  }
  const place = database.engine === 'postgres' ? await findPlaceIfAllowed(system, log) : undefined;
  if (!takenAt) return acceptPlace(operator, place);
  return system.maintain('recover after a restore', async (tx) => {
    await lockInstallation(tx);
    const deleted = await deleteUnfinished(tx);
    await deleteNodes(tx);
    // Otherwise the events written here would be sorted before those of the backup.
    await moveRestoredEvents(tx);
    await skipUsedNumbers(tx, (tx.now.getTime() - takenAt.getTime()) / 1000);
    const replaced = await replaceCredentials(operator, tx);
    if (place) await recordPlace(tx, place);
    const reason = `recover from a backup of ${takenAt.toISOString()}`;
    await recordMaintenance(tx, ACTOR, reason, DEFAULT_TENANT);
    return {
      taken_at: takenAt.toISOString(),
      ...replaced,
      deleted,
      as_of_backup: await countRestored(tx),
    };
  });
}

/** Replaces the signing keys of all tenants, and ends all sessions. */
async function replaceCredentials({ masterKeys }: Operator, tx: SystemTx) {
  const keys = masterKeys();
  const tenants = await listDataKeys(tx);
  let retired = 0;
  let ended = 0;
  for (const { tenant_id: id, wrapped_key, master_key_id } of tenants) {
    if (wrapped_key === null || master_key_id === null) throw new DataKeyGone(id);
    const dataKey = keys.unwrap(id, { wrapped_key, master_key_id });
    retired += await asTenant(tx, id, (tenantTx) =>
      replaceKeysIn(tenantTx, ACTOR, dataKey, tx.now),
    );
    dataKey.fill(0);
    ended += await endAllSessions(tx, id, ACTOR, 'restored');
  }
  return { tenants: tenants.length, keys_retired: retired, sessions_ended: ended };
}

/** For --nothing-lost: only records the place of the database. */
function acceptPlace({ system }: Operator, place: Place | undefined): Promise<RestoreReport> {
  return system.run(ACTOR, 'accept a moved database', async (tx) => {
    if (place) await recordPlace(tx, place);
    return {
      taken_at: null,
      tenants: 0,
      keys_retired: 0,
      sessions_ended: 0,
      deleted: {},
      as_of_backup: null,
    };
  });
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** @throws OperatorError USAGE */
function requireTime(text: string, now: Date): Date {
  const at = new Date(TIME.test(text) ? text : Number.NaN);
  if (Number.isNaN(at.getTime())) {
    throw new OperatorError(
      'USAGE',
      'Expected the time of the backup with its time zone, such as 2026-01-31T23:30:00Z.',
    );
  }
  if (at > now) throw new OperatorError('USAGE', 'The time of the backup is in the future.');
  return at;
}
