export {
  countAll,
  countAttempt,
  countInNetworks,
  findAttempts,
  giveBackAttempt,
  type NamedLimit,
  networkLimits,
  rateLimitOf,
  requireRoomOfAddress,
} from './attempts-store.ts';
export { CachedCondition, FailureThrottle } from './throttles.ts';
