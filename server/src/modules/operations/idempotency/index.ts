export {
  createReadRepeatable,
  findKeptAnswer,
  keepAnswer,
  once,
  type ReadRepeatable,
  type RepeatableRequest,
} from './service.ts';
