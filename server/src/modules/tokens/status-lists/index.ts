export type { TokenBits } from './bits.ts';
export { statusClaim } from './reference.ts';
export { skipUsedNumbers } from './store.ts';
