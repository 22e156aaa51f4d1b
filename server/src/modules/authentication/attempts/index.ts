export { CachedCondition, FailureThrottle, requireRoomOfAddress } from './throttles.ts';
export {
  type Attempt,
  type Attempted,
  countAll,
  countAttempt,
  countInNetworks,
  findAttempts,
  giveBackAttempt,
  inLockOrder,
  type NamedLimit,
  networkLimits,
  rateLimitOf,
} from './attempts-store.ts';
