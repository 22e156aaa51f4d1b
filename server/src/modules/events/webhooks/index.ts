export type { DeliveryQueue } from './queue.ts';
export { secretKeysOf } from './secret.ts';
export { signatureHeaders } from './signature.ts';
