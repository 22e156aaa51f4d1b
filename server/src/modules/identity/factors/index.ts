export { factorsModule } from './module.ts';
