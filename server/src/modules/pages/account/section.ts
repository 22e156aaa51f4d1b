import type { AgentId } from '@keywright/contract/ids';
import type { AccountDone, submitAccount } from '@keywright/contract/routes/account';
import type { TextLocale } from '@keywright/contract/locale';
import type { BodyOf } from '@keywright/contract/route';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { OwnApi } from './own-api.ts';
import type { Carried } from './parts.ts';

export type Fields = BodyOf<typeof submitAccount>;

/** What an action led to: another state of the account, or something that is shown now only. */
export type Acted =
  | {
      readonly done: AccountDone;
      /** The language that pages are shown in from now on. */
      readonly locale?: TextLocale;
    }
  | { readonly show: Html }
  | { readonly leavesTo: URL }
  | { readonly isDeleted: true };

/** An agent that asks to act for the user. */
export interface AgentRequest {
  readonly agent: AgentId;
  /** Joined by spaces. */
  readonly scope: string;
  readonly days?: number | undefined;
}

/** What the address of the page asks for, beside the section. */
export interface Wanted {
  /** Where its list continues. */
  readonly cursor?: string | undefined;
  readonly agentRequest?: AgentRequest | undefined;
}

type Action = (api: OwnApi, fields: Fields, carried: Carried) => Promise<Acted>;

/** A part of the account page. */
export interface Section {
  readonly show: (api: OwnApi, carried: Carried, wanted: Wanted) => Promise<Html>;
  /** By the names of their buttons. */
  readonly actions: Readonly<Record<string, Action>>;
}

export const NOTHING = { params: {}, query: {}, body: undefined } as const;

/** All of a list that has few entries. */
export const WHOLE = { params: {}, query: { limit: 100 }, body: undefined } as const;
