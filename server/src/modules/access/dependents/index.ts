export { dependentsModule } from './module.ts';
export { findAgentDependents, findUserDependents } from './dependents.ts';
export { revocationEvents } from './recorded.ts';
export { type EndedAgents, endOwnedAgents } from './owned-agents.ts';
export { revokeKeysAndDelegations } from './store.ts';
