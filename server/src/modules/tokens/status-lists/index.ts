export { createTokenBits, type TokenBits } from './bits.ts';
export { statusClaim } from './reference.ts';
export { createStatusLists, type StatusLists } from './service.ts';
