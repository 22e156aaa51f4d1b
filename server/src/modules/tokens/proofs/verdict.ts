import type { ClientRow } from './store.ts';

/** The authenticated client; or the reason of the failure, for the log only. */
export type Verdict<Client = ClientRow> =
  | { readonly client: Client; readonly refusal?: never }
  | { readonly client?: never; readonly refusal: string };
