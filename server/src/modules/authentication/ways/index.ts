export { hasAWay } from './rules.ts';
export { findWays, type Ways } from './store.ts';
