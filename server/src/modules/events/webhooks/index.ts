export { webhooksModule } from './module.ts';
export type { Dispatcher } from './dispatcher.ts';
