export { impersonationModule } from './module.ts';
