export { type Acting, findActing, type Given } from './acting-store.ts';
