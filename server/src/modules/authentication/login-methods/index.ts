export { countOtherWays, findWays, type Ways } from './login-methods-store.ts';
export { hasAWay } from './login-methods.ts';
