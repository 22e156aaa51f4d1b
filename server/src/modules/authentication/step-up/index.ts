export { stepUpModule } from './module.ts';
