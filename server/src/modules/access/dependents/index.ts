export { findAgentReach, findUserReach } from './reach.ts';
export { bindReachRoutes } from './routes.ts';
export { revocationEvents } from './recorded.ts';
export { revokeKeysAndDelegations } from './store.ts';
