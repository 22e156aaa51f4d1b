export { customClaimsOf, fixedClaimsOf } from './custom-claims.ts';
export { createOpenSession, type OpenSession } from './open.ts';
export { createRefresh } from './rotation.ts';
export { bindSessionRoutes } from './routes.ts';
export { endSessionsOf } from './store.ts';
