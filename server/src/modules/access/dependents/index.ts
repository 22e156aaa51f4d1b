export { findAgentDependents, findUserDependents } from './dependents.ts';
export { bindDependentRoutes } from './routes.ts';
export { revocationEvents } from './recorded.ts';
export { revokeKeysAndDelegations } from './store.ts';
