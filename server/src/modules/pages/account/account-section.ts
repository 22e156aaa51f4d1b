import type { AgentId } from '@keywright/contract/ids';
import type { TextLocale } from '@keywright/contract/locale';
import type { BodyOf, OkOf, Route } from '@keywright/contract/route';
import type {
  AccountDone,
  submitAccount,
  AccountSection,
} from '@keywright/contract/routes/account';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { ownCallerOf } from '../../../tenancy/own-caller.ts';
import type { OwnCallAs } from '../../../tenancy/own-calls.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  findUserLoginMethods,
  type UserLoginMethods,
} from '../../authentication/login-methods/index.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';

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

/** Routes of the user of this page, as any client of theirs calls them. */
export interface OwnApi {
  readonly tenant: Tenant;
  readonly login: BrowserLogin;
  readonly call: CallOwn;
  /** Where the user gives away what they may do: the login does not limit that, their present permissions do. */
  readonly lend: CallOwn;
  /** How the user can log in. */
  readonly findUserLoginMethods: () => Promise<UserLoginMethods>;
}

type CallOwn = <const R extends Route>(
  route: R,
  given: Pick<OwnCallAs<R>, 'params' | 'query' | 'body'>,
) => Promise<OkOf<R>>;

const ALL_PERMISSIONS = { scopes: ['*:*'] };

/** Where a page is shown. */
interface Place {
  readonly tenant: Tenant;
  readonly device: Device;
  /** The language of the page: what it causes to be sent is in it. */
  readonly locale: string;
}

interface Dependencies {
  readonly gate: Gate;
  readonly performAs: Router['performAs'];
}

export function ownApi(
  { gate, performAs }: Dependencies,
  { tenant, device, locale }: Place,
  login: BrowserLogin,
): OwnApi {
  const by =
    (caller: UserCaller): CallOwn =>
    (route, given) =>
      performAs(route, { ...given, tenant, caller, device, locale });
  return {
    tenant,
    login,
    call: by(ownCallerOf(tenant, login, device.from)),
    lend: by(ownCallerOf(tenant, login, device.from, ALL_PERMISSIONS)),
    findUserLoginMethods: () =>
      gate.into(tenant.id).transaction((tx) => findUserLoginMethods(tx, login.userId)),
  };
}

/** What every form of a section contains. */
export interface Carried {
  readonly section: AccountSection;
  /** The session that the page is shown in: in another one its forms do nothing. */
  readonly session: string;
  readonly token: Html;
  readonly texts: Texts;
  /** Whether the login is recent enough for changes of a way to log in. */
  readonly isFresh: boolean;
  readonly now: Date;
}

type Hidden = Readonly<Record<string, string>>;

/** A form with one button. */
export function action(
  { section, session, token }: Carried,
  name: string,
  label: Html | string,
  { hidden = {}, fields, look }: ActionOptions = {},
): Html {
  const kept = Object.entries({ section, session, ...hidden });
  const kind = look && html`class="${look}"`;
  return html`<form method="post" action="account">
    ${token}${kept.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`)}
    ${fields}<button name="action" value="${name}" ${kind}>${label}</button>
  </form>`;
}

interface ActionOptions {
  readonly hidden?: Hidden;
  readonly fields?: Html;
  readonly look?: 'second' | 'link' | 'danger';
}

/** In place of the forms of a change that needs a recent login. */
export function confirmFirst(
  carried: Carried,
  why:
    | 'account.confirm_addresses'
    | 'account.confirm_security'
    | 'account.confirm_copy'
    | 'account.confirm_deletion',
): Html {
  const { texts } = carried;
  return html`<p class="hint">${texts.text(why)}</p>
    ${action(carried, 'confirm', texts.text('account.confirm'), { look: 'second' })}`;
}

interface InputOptions {
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete?: string;
  readonly isNumeric?: boolean;
  readonly value?: string;
}

export function input(
  name: string,
  label: string,
  { type = 'text', autocomplete = 'off', isNumeric, value }: InputOptions = {},
): Html {
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      ${value === undefined ? undefined : html`value="${value}"`}
      ${isNumeric ? html`inputmode="numeric"` : undefined}
      autocapitalize="none"
      spellcheck="false"
    />`;
}

interface Item {
  readonly title: Html | string;
  readonly lines: readonly (Html | string | undefined)[];
  readonly actions?: readonly (Html | undefined)[];
}

/** A list, or what its absence means. */
export function list(items: readonly Item[], empty: string): Html {
  if (items.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ul class="items">
    ${items.map(
      ({ title, lines, actions = [] }) =>
        html`<li>
          <b>${title}</b>
          ${lines.filter((line) => line !== undefined).map((line) => html`<p class="hint">${line}</p>`)}
          ${actions}
        </li>`,
    )}
  </ul>`;
}

/** To the minute, in UTC, as a machine and a person read it. */
export function time(at: string | Date, texts: Texts): Html {
  const moment = new Date(at);
  return html`<time datetime="${moment.toISOString()}">${texts.moment(moment)}</time>`;
}

/** To the section, from what is shown once. */
export function back({ section, texts }: Carried): Html {
  return html`<p><a href="account?section=${section}">${texts.text('account.back')}</a></p>`;
}
