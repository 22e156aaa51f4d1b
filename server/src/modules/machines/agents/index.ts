export { getAgentById } from './agent-service.ts';
export { type ApiKeys, hashApiKey, looksLikeApiKey } from './api-key-authentication.ts';
export {
  type Acting,
  type DelegationSelector,
  findActing,
  findDelegationsBy,
  outdateDelegations,
  revokeDelegations,
} from './delegations-store.ts';
export { type EndedAgents, endOwnedAgents, findUserDependents } from './dependents.ts';
export {
  type AgentClient,
  countActiveAgentsIn,
  displaceAgentsOf,
  findAgentClient,
  findScopesOfAgentsIn,
  outdateAgents,
} from './agents-store.ts';
