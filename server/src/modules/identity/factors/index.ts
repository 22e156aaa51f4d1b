export { removeAllFactors } from './factor-service.ts';
export { findFactorTypes } from './factor-store.ts';
