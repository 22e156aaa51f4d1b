export { presentAgent } from './present.ts';
export { bindAgentRoutes } from './routes.ts';
export { getAgentById, requireMayActOnAgent } from './service.ts';
export type { AgentRow } from './store.ts';
