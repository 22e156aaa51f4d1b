export { evaluationModule } from './module.ts';
