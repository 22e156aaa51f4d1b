export { requireRoomOfAddress } from './address-room.ts';
export { attemptsModule } from './module.ts';
export { createFailureThrottle, type FailureLimit } from './failures.ts';
export { type Attempt, type Attempted, inLockOrder } from './lock-order.ts';
export { countAttempt, giveBackAttempt, rateLimitOf } from './store.ts';
export {
  addressSubject,
  clientRegistrationSubject,
  clientSubject,
  deviceGrantSubject,
  deviceSubject,
  documentSubject,
  flowSubject,
  identifierSubject,
  pushSubject,
  refreshSubject,
  registrationSubject,
  reporterSubject,
  undoSubject,
  userCodeSubject,
  userSubject,
} from './subjects.ts';
