export { revocationModule } from './module.ts';
