export { challengesModule } from './module.ts';
