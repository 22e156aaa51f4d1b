export { webhooksModule } from './module.ts';
export type { DeliveryQueue } from './queue.ts';
export { objectionToSecret, secretKeysOf } from './secret.ts';
export { signatureHeaders } from './signature.ts';
