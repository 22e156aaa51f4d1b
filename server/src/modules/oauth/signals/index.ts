export { signalsModule } from './module.ts';
export type { SignalQueue } from './queue.ts';
