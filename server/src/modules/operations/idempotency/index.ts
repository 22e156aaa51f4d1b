export { idempotencyModule } from './module.ts';
export {
  findKeptAnswer,
  keepAnswer,
  once,
  type ReadRepeatable,
  type RepeatableRequest,
} from './service.ts';
