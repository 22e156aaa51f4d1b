export {
  getAgentById,
  presentAgent,
  requireKnownScopes,
  requireMayActOnAgent,
} from './agent-service.ts';
export { type Acting, findActing, type Given } from './delegations-store.ts';
