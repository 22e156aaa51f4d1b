export { type TokenBits, statusClaim } from './token-bits.ts';
export { skipUsedNumbers } from './status-store.ts';
