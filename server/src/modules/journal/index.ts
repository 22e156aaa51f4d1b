export { type Actor, actingIn, stranger } from './actor.ts';
export type { Change, NewEvent } from './change.ts';
export { type EndedSession, sessionRevoked } from './sessions.ts';
export { record, recordAll, recordSystemWork } from './record.ts';
