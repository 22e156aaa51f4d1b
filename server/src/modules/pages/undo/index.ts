export { undoPagesModule } from './module.ts';
