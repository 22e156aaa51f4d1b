export {
  actingIn,
  type Actor,
  anonymous,
  type Change,
  describeSystemWork,
  type EndedSession,
  joining,
  type NewEvent,
  record,
  recordAll,
  recordMaintenance,
  revocationEvents,
  type Revoked,
  serializeChanges,
  sessionRevoked,
} from './audit-record.ts';
export {
  deliveriesQueued,
  findHistory,
  type HistoryEntry,
  type SerializedChanges,
  type Target,
} from './audit-store.ts';
export type { Notes } from './audit-notes.ts';
export type { Sealing } from './audit-sealing.ts';
export { linesOfDatabase, linesOfFile } from './audit-log.ts';
export { type Verdict, verifyLog } from './audit-verification.ts';
export { findMacCheck } from './audit-integrity.ts';
export { moveRestoredEvents } from './events-store.ts';
