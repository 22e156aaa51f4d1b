export type { DeliveryQueue } from './delivery-queue.ts';
export { secretKeysOf, signatureHeaders } from './webhook-signature.ts';
