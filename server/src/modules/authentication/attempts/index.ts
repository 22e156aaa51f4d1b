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
  type LoginLimit,
  type LoginStart,
  type LoginStartRow,
  startLogins,
} from './attempts-store.ts';
export { CachedCondition, FailureThrottle } from './throttles.ts';
