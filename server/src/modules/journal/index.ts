export { type Actor, actingIn, stranger } from './actor.ts';
export { type Change, type NewEvent, type Written, written } from './change.ts';
export { type EndedSession, sessionRevoked } from './sessions.ts';
export { bindJournalRoutes } from './routes.ts';
export { record, recordAll, recordSystemWork } from './record.ts';
export { findHistory, type HistoryEntry, type Target } from './history-store.ts';
