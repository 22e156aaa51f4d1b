export {
  getAgentById,
  presentAgent,
  requireKnownScopes,
  requireMayActOnAgent,
} from './agent-service.ts';
export { type Acting, findActing, type DelegationSelector } from './delegations-store.ts';
