export { healthModule } from './module.ts';
export { createDrain } from './drain.ts';
