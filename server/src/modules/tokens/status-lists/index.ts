export type { TokenBits } from './token-bits.ts';
export { statusClaim } from './status-format.ts';
export { skipUsedNumbers } from './status-store.ts';
