export { type Acting, findActing, type Given } from './acting-store.ts';
export { bindDelegationRoutes } from './routes.ts';
