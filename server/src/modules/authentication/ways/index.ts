export { hasAWay } from './rules.ts';
export { countOtherWays, findWays, type Ways } from './store.ts';
