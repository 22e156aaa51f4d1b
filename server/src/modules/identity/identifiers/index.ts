export { identifiersModule } from './module.ts';
