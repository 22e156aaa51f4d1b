export { meModule } from './module.ts';
