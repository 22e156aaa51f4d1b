export { customClaimsOf, fixedClaimsOf } from './custom-claims.ts';
export {
  createOpenFirstSession,
  createOpenSession,
  type OpenFirstSession,
  type OpenSession,
  type SessionParts,
} from './open.ts';
export { createRefresh } from './rotation.ts';
export { bindSessionRoutes } from './routes.ts';
export { endSessionsOf } from './store.ts';
