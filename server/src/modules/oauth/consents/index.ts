export { consentsModule } from './module.ts';
