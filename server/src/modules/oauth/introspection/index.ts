export { introspectionModule } from './module.ts';
