export { createFailureThrottle, type FailureLimit, type FailureThrottle } from './failures.ts';
export { type Attempt, type Attempted, inLockOrder } from './lock-order.ts';
export { type AttemptLimits, countAttempt, giveBackAttempt, rateLimitOf } from './store.ts';
export {
  addressSubject,
  clientSubject,
  deviceSubject,
  identifierSubject,
  refreshSubject,
  registrationSubject,
  reporterSubject,
  userSubject,
} from './subjects.ts';
