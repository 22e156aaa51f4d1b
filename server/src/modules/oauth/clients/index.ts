export { clientsModule } from './module.ts';
