import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';

/** What every form of a page contains: the request in progress, and the token against forgery. */
interface Sent {
  readonly request: string;
  readonly token: Html;
}

export interface Carried extends Sent {
  /** How the page looks. */
  readonly look: Look;
}

/** A form of a page, which is sent back to the page. */
export function form(carried: Sent, ...parts: readonly (Html | undefined)[]): Html {
  return namedForm(undefined, carried, ...parts);
}

/** One that buttons outside of it can belong to: what a form carries is most of its bytes. */
export function namedForm(
  name: string | undefined,
  { request, token }: Sent,
  ...parts: readonly (Html | undefined)[]
): Html {
  const id = name === undefined ? undefined : html` id="${name}"`;
  return html`<form method="post" action="continue" ${id}>
    ${token}<input type="hidden" name="request" value="${request}" />${parts}
  </form>`;
}

interface ButtonLook {
  readonly id?: string;
  /** `second`: beside another one; `link`: looks like one. */
  readonly look?: 'second' | 'link' | undefined;
  readonly isFocused?: boolean;
  /** The form that it belongs to, where that is not the one around it. */
  readonly of?: string | undefined;
}

/** A button that says what its form does. */
export function button(
  action: string,
  text: Html | string,
  { id = action, look, isFocused, of }: ButtonLook = {},
): Html {
  const kind = look === undefined ? undefined : html` class="${look}"`;
  const focus = isFocused ? html` autofocus` : undefined;
  const owner = of === undefined ? undefined : html` form="${of}"`;
  return html`<button name="action" value="${action}" id="${id}" ${kind}${focus}${owner}>
    ${text}
  </button>`;
}

interface Field {
  readonly name: 'identifier' | 'secret' | 'code';
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly isFocused?: boolean;
  /** Only digits are typed. */
  readonly isNumeric?: boolean;
  readonly hint?: Html | undefined;
}

export function field(given: Field): Html {
  const { name, label, type = 'text', autocomplete, value, isFocused, isNumeric, hint } = given;
  const hintId = `${name}-hint`;
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      ${value === undefined ? undefined : html`value="${value}"`}
      ${isNumeric ? html`inputmode="numeric"` : undefined}
      ${isFocused ? html`autofocus` : undefined}
      ${hint === undefined ? undefined : html`aria-describedby="${hintId}"`}
      autocapitalize="none"
      spellcheck="false"
    />
    ${hint === undefined ? undefined : html`<p class="hint" id="${hintId}">${hint}</p>`}`;
}

/** A way to another page, for those who did not mean this one. */
export function aside(carried: Sent, action: string, text: string): Html {
  return form(carried, button(action, text, { look: 'link' }));
}
