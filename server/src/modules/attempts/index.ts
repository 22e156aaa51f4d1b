export { type Attempted, inLockOrder } from './lock-order.ts';
export { type AttemptLimits, countAttempt, giveBackAttempt } from './store.ts';
export {
  addressSubject,
  clientSubject,
  identifierSubject,
  reporterSubject,
  userSubject,
} from './subjects.ts';
