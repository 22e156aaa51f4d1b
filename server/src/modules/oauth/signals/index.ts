export type { SignalQueue } from './queue.ts';
