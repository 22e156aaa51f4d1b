export { createIsAlive, type IsAlive } from './liveness.ts';
export { createOpenSession, type OpenSession } from './open.ts';
export { createRefresh } from './rotation.ts';
export { bindSessionRoutes } from './routes.ts';
export { endSessionsOf, outdateAccess } from './store.ts';
