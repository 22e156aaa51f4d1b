export { nodesModule } from './module.ts';
