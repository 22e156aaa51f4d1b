import type { Place, RecordedPlace } from './place-store.ts';

/** `promoted`: a standby was promoted while nodes were running. */
export type PlaceVerdict =
  | { readonly kind: 'unrecorded' | 'same' }
  | { readonly kind: 'promoted'; readonly from: number }
  | { readonly kind: 'elsewhere'; readonly difference: string };

/**
 * Whether this is the database that the service last ran on. A promotion and a recovery to a point in time both raise
 * the timeline. A promotion happens while nodes run and their leases are in the database, so nothing older than a lease
 * is missing. The recovery of an older state has a target, or finds only expired leases.
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
