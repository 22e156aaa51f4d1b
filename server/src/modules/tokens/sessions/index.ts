export { sessionsModule } from './module.ts';
export { customClaimsOf, fixedClaimsOf } from './custom-claims.ts';
export {
  createOpenFirstSession,
  createOpenSession,
  type OpenFirstSession,
  type OpenSession,
  type SessionDependencies,
} from './open.ts';
export { endSessionsOf } from './end-store.ts';
