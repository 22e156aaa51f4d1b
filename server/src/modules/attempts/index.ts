export { createFailureThrottle, type FailureLimit, type FailureThrottle } from './failures.ts';
export { type Attempted, inLockOrder } from './lock-order.ts';
export { type AttemptLimits, countAttempt, giveBackAttempt } from './store.ts';
export {
  addressSubject,
  clientSubject,
  identifierSubject,
  refreshSubject,
  reporterSubject,
  userSubject,
} from './subjects.ts';
