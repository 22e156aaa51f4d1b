import type { Log } from '../../../platform/log.ts';
import { codeOf } from '../../../platform/reason.ts';
import type { SystemData, SystemTx } from '../../../tenancy/gate.ts';
import {
  type Place,
  type RecordedPlace,
  findPlace,
  findRecordedPlace,
  recordPlace,
} from './installation-store.ts';

/** The database is not the one on which the service last ran, so it can lack acknowledged changes. */
class DatabaseRestored extends Error {
  constructor(difference: string) {
    super(
      [
        `The database was restored from a backup, or moved: ${difference}. It may lack the latest changes, ` +
          'such as logouts and retired keys. Stop every node, then run one of these commands, and start again:',
        '',
        '  keywright after-restore --taken-at <time of the backup>',
        '      after a backup, a snapshot or a recovery to a point in time. Users must sign in again.',
        '  keywright after-restore --nothing-lost',
        '      only if no change was lost: after pg_upgrade, logical replication, or the promotion of a',
        '      standby that had received every change. Nothing is changed.',
        '',
        'docs/guide/backup.md explains both.',
      ].join('\n'),
    );
    this.name = 'DatabaseRestored';
  }
}

/**
 * Rejects a database that was restored or moved since the service last ran on it; otherwise records its place.
 * @throws DatabaseRestored
 */
export async function requireSamePlace(system: SystemData, log: Log): Promise<void> {
  const found = await findPlaceIfAllowed(system, log);
  if (!found) return;
  const verdict = await system.maintain('compare the place of the database', async (tx) => {
    const judged = judgePlace(await findRecordedPlace(tx), found);
    if (judged.kind === 'unrecorded' || judged.kind === 'promoted') await recordPlace(tx, found);
    return judged;
  });
  if (verdict.kind === 'elsewhere') throw new DatabaseRestored(verdict.difference);
  if (verdict.kind === 'promoted') {
    log.warn(
      { from: verdict.from, to: found.timeline },
      'a standby was promoted while a node was running, so at most the last writes can be lost',
    );
  }
}

/**
 * Records the timeline if a standby was promoted while this node ran. The node continues in any case: otherwise all
 * nodes would stop after a failover that lost commits.
 * @param hasLastLease whether the database has the last lease of this node, and therefore every earlier commit
 * @returns false if the database was replaced by one that lacks changes
 */
export async function notePromotion(
  tx: SystemTx,
  log: Log,
  hasLastLease: boolean,
): Promise<boolean> {
  const recorded = await findRecordedPlace(tx);
  if (!recorded) return true;
  const found = await findPlace(tx);
  const verdict = judgePlace(recorded, { ...found, is_leased: hasLastLease });
  if (verdict.kind === 'promoted') await recordPlace(tx, found);
  if (verdict.kind !== 'elsewhere') return true;
  log.error(
    { difference: verdict.difference },
    'the database was replaced while this node ran, and lacks changes: stop every node and run "keywright after-restore"',
  );
  return false;
}

/** Insufficient privilege, unsupported feature, undefined function: errors of some hosted servers. */
const NOT_ALLOWED = new Set(['42501', '0A000', '42883']);

/** Undefined if the server does not allow this. */
export async function findPlaceIfAllowed(system: SystemData, log: Log): Promise<Place | undefined> {
  try {
    return await system.maintain('find the place of the database', findPlace);
  } catch (error) {
    if (!NOT_ALLOWED.has(codeOf(error))) throw error;
    log.warn(
      { err: error },
      'the server does not allow reading the identity of the database: a restored database will not be recognized',
    );
    return undefined;
  }
}

/** `promoted`: a standby was promoted while nodes were running. */
type PlaceVerdict =
  | { readonly kind: 'unrecorded' | 'same' }
  | { readonly kind: 'promoted'; readonly from: number }
  | { readonly kind: 'elsewhere'; readonly difference: string };

/**
 * Judges whether this is the database on which the service last ran. A promotion and a recovery to a point in time
 * both raise the timeline. A promotion happens while nodes run and their leases are in the database, so nothing older
 * than a lease is missing. The recovery of an older state has a target, or finds only expired leases.
 */
export function judgePlace(recorded: RecordedPlace | undefined, found: Place): PlaceVerdict {
  if (!recorded) return { kind: 'unrecorded' };
  const difference = differenceOf(recorded, found);
  if (difference !== undefined) return { kind: 'elsewhere', difference };
  const { timeline: from } = recorded;
  const { timeline: to } = found;
  if (from === to) return { kind: 'same' };
  const raised = `its timeline was ${from} and is ${to}`;
  if (to < from) return { kind: 'elsewhere', difference: raised };
  if (found.has_recovery_target) {
    return { kind: 'elsewhere', difference: `${raised}, and the server has a recovery target` };
  }
  if (!found.is_leased) {
    return { kind: 'elsewhere', difference: `${raised}, and no node has run on it recently` };
  }
  return { kind: 'promoted', from };
}

function differenceOf(recorded: RecordedPlace, found: Place): string | undefined {
  if (recorded.system_identifier !== found.system_identifier) {
    return `it was in the cluster ${recorded.system_identifier} and is in ${found.system_identifier}`;
  }
  if (recorded.database_oid !== found.database_oid)
    return 'it is another database on the same server';
  if (recorded.table_oid !== found.table_oid) return 'its tables were recreated';
  return undefined;
}
