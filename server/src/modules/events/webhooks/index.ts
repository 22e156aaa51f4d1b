export { webhooksModule } from './module.ts';
export type { DeliveryQueue } from './queue.ts';
