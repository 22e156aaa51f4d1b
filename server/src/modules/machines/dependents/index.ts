export { findAgentDependents, findUserDependents } from './dependents.ts';
export { type EndedAgents, endOwnedAgents } from './owned-agents.ts';
export { revokeKeysAndDelegations } from './store.ts';
