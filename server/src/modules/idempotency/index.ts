export { once, readIdempotencyKey, type RepeatableRequest } from './service.ts';
