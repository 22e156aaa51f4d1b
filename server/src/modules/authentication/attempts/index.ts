export { requireRoomOfAddress } from './address-room.ts';
export { createIsExhausted, type IsExhausted } from './exhausted.ts';
export { createFailureThrottle } from './failures.ts';
export { type Attempt, type Attempted, inLockOrder } from './lock-order.ts';
export {
  countAll,
  countAttempt,
  countInNetworks,
  findAttempts,
  giveBackAttempt,
  type NamedLimit,
  networkLimits,
  rateLimitOf,
} from './store.ts';
