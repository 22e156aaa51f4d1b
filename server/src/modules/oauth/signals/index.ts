export type { SignalQueue } from './signal-queue.ts';
export { SIGNAL_SCOPES, type SignalScope, type SignalTokens } from './signal-receivers.ts';
