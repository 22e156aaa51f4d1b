export {
  createSignalTokens,
  SIGNAL_SCOPES,
  type SignalScope,
  type SignalTokens,
} from './signal-tokens.ts';
