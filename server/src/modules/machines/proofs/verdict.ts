import type { ClientRow } from './store.ts';

/** Who proved to be an agent; or why not, for the log: whoever asks is told nothing of it. */
export type Verdict =
  | { readonly client: ClientRow }
  | { readonly client?: never; readonly refusal: string };
