export { idempotencyModule } from './module.ts';
