export { requireRoomOfAddress } from './address-room.ts';
export { attemptsModule } from './module.ts';
export { createIsExhausted, type IsExhausted } from './exhausted.ts';
export { createFailureThrottle, type FailureLimit } from './failures.ts';
export { type Attempt, type Attempted, inLockOrder } from './lock-order.ts';
export {
  countAttempt,
  countInNetworks,
  findAttempts,
  giveBackAttempt,
  rateLimitOf,
} from './store.ts';
export {
  addressSubject,
  clientRegistrationSubject,
  clientSubject,
  deviceGrantSubject,
  deviceSubject,
  documentSubject,
  flowSubject,
  identifierSubject,
  openerSubject,
  pushSubject,
  refreshSubject,
  registrationSubject,
  reporterSubject,
  undoProofSubject,
  undoSubject,
  userCodeSubject,
  userSubject,
  WRONG_CODES,
} from './subjects.ts';
