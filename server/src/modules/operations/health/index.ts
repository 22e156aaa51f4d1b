export { createDrain } from './drain.ts';
