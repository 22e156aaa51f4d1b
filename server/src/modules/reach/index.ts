export { findAgentReach, findUserReach } from './reach.ts';
export { bindReachRoutes } from './routes.ts';
