import type { ClientRow } from './store.ts';

/** The authenticated agent; or the reason of the failure, for the log only. */
export type Verdict =
  | { readonly client: ClientRow }
  | { readonly client?: never; readonly refusal: string };
