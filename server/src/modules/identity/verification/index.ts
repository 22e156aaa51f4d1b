export { findUnverified } from './required.ts';
export { findVerification } from './store.ts';
