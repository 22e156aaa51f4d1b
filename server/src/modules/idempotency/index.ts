export {
  createReadRepeatable,
  once,
  type ReadRepeatable,
  type RepeatableRequest,
} from './service.ts';
