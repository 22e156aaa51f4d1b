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
import type { PageCallAs } from '../../../tenancy/call.ts';
import { type Device, userCallerOf } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type AccountIcon, icon } from './account-icons.ts';
import { type UserLoginMethods, findUserLoginMethods } from '../../authentication/proofs/index.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';

export type Fields = BodyOf<typeof submitAccount>;

/** The result of an action: a changed account, or content that is shown once. */
export type Acted =
  | {
      readonly done: AccountDone;
      /** The new language of pages. */
      readonly locale?: TextLocale;
    }
  | { readonly show: Html }
  | { readonly redirectTo: URL }
  | { readonly isDeleted: true };

/** An agent's request to act for the user. */
export interface AgentRequest {
  readonly agent: AgentId;
  /** Joined by spaces. */
  readonly scope: string;
  readonly days?: number | undefined;
}

/** The query parameters of the page, except the section. */
export interface SectionQuery {
  /** Where its list continues. */
  readonly cursor?: string | undefined;
  readonly agentRequest?: AgentRequest | undefined;
}

type Action = (api: UserApi, fields: Fields, carried: Carried) => Promise<Acted>;

/** A part of the account page. */
export interface Section {
  readonly show: (api: UserApi, carried: Carried, query: SectionQuery) => Promise<Html>;
  /** The section's actions, by the names of their buttons. */
  readonly actions: Readonly<Record<string, Action>>;
}

export const NOTHING = { params: {}, query: {}, body: undefined } as const;

/** Requests a whole list of few entries in one page. */
export const WHOLE = { params: {}, query: { limit: 100 }, body: undefined } as const;

type CallInput<R extends Route> = Pick<PageCallAs<R>, 'params' | 'query' | 'body'>;

const ALL_PERMISSIONS = { scopes: ['*:*'] };

/** The request context that a page is rendered in. */
interface Place {
  readonly tenant: Tenant;
  readonly device: Device;
  /** The language of the page, and of the messages that it sends. */
  readonly locale: string;
}

/** Calls API routes on behalf of the page's user, like any other client of that user. */
export class UserApi {
  readonly tenant: Tenant;
  readonly login: BrowserLogin;
  readonly #gate: Gate;
  readonly #performAs: Router['performAs'];
  readonly #place: Place;

  constructor(gate: Gate, performAs: Router['performAs'], place: Place, login: BrowserLogin) {
    this.tenant = place.tenant;
    this.login = login;
    this.#gate = gate;
    this.#performAs = performAs;
    this.#place = place;
  }

  call<const R extends Route>(route: R, request: CallInput<R>): Promise<OkOf<R>> {
    const caller = userCallerOf(this.tenant, this.login, this.#place.device.from);
    return this.#performAs(route, { ...request, ...this.#place, caller });
  }

  /** Calls a route that delegates the user's permissions, limited by their current permissions, not the login's. */
  lend<const R extends Route>(route: R, request: CallInput<R>): Promise<OkOf<R>> {
    const { from } = this.#place.device;
    const caller = userCallerOf(this.tenant, this.login, from, ALL_PERMISSIONS);
    return this.#performAs(route, { ...request, ...this.#place, caller });
  }

  /** Returns the login methods of the user. */
  findLoginMethods(): Promise<UserLoginMethods> {
    const { userId } = this.login;
    return this.#gate.into(this.tenant.id).transaction((tx) => findUserLoginMethods(tx, userId));
  }
}

/** The values that every form of a section contains. */
export interface Carried {
  readonly section: AccountSection;
  /** The session that rendered the page; submitting its forms in another session has no effect. */
  readonly session: string;
  readonly token: Html;
  readonly texts: Texts;
  /** Whether the login is recent enough to change login methods. */
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
  const values = Object.entries({ section, session, ...hidden });
  const kind = look && html`class="${look}"`;
  return html`<form method="post" action="account">
    ${token}${values.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}" />`)}
    ${fields}<button name="action" value="${name}" ${kind}>${label}</button>
  </form>`;
}

interface ActionOptions {
  readonly hidden?: Hidden;
  readonly fields?: Html;
  /** `danger`: a red link; `final`: a red button for what cannot be undone. */
  readonly look?: 'second' | 'link' | 'danger' | 'final';
}

/** Replaces forms whose changes require a recent login. */
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
  readonly icon?: AccountIcon;
  readonly title: Html | string;
  /** Short states next to the title. */
  readonly marks?: readonly (Html | string | undefined)[];
  readonly lines: readonly (Html | string | undefined)[];
  readonly actions?: readonly (Html | undefined)[];
  /** ID of the element that names what the actions change, where their texts do not. */
  readonly actionsOf?: string;
}

/** A list. @param empty shown if there are no items */
export function list(items: readonly Item[], empty: string): Html {
  if (items.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ul class="items">
    ${items.map(
      ({ icon: name, title, marks = [], lines, actions = [], actionsOf: owner }) =>
        html`<li>
          ${name && icon(name)}
          <div>
            <b>${title}</b>
            ${marks.map((mark) => (typeof mark === 'string' ? html` <span class="mark">${mark}</span>` : mark))}
            ${lines.filter((line) => line !== undefined).map((line) => html`<p class="hint">${line}</p>`)}
          </div>
          ${actions.some(Boolean) ? html`<div class="do" ${owner && html` role="group" aria-labelledby="${owner}"`}>${actions}</div>` : undefined}
        </li>`,
    )}
  </ul>`;
}

interface Card {
  readonly icon: AccountIcon;
  readonly title: Html | string;
  /** A short state next to the title. */
  readonly state?: Html | undefined;
}

/** A part of a section, with its heading. */
export function card(
  { icon: name, title, state }: Card,
  ...body: readonly (Html | undefined)[]
): Html {
  return html`<section class="card">
    <h2>${icon(name)}<span>${title}</span>${state}</h2>
    ${body}
  </section>`;
}

/** A time to the minute, in UTC, for machines and people. */
export function time(at: string | Date, texts: Texts): Html {
  const moment = new Date(at);
  return html`<time datetime="${moment.toISOString()}">${texts.moment(moment)}</time>`;
}

/** Renders a link back to the section, for content that is shown once. */
export function back({ section, texts }: Carried): Html {
  return html`<p><a href="account?section=${section}">${texts.text('account.back')}</a></p>`;
}
