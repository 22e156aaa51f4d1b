import type { AccountSection } from '@keywright/contract/routes/account';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';

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
