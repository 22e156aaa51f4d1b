export { createDrain, type Drain } from './drain.ts';
export { bindServiceStateRoutes } from './routes.ts';
