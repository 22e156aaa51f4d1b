import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';

/** What every form of a page contains: the request in progress, and the token against forgery. */
export interface Carried {
  readonly request: string;
  readonly token: Html;
  /** How the page looks. */
  readonly look: Look;
}

/** A form of a page, which is sent back to the page. */
export function form({ request, token }: Carried, ...parts: readonly (Html | undefined)[]): Html {
  return html`<form method="post" action="continue">
    ${token}<input type="hidden" name="request" value="${request}" />${parts}
  </form>`;
}

interface ButtonLook {
  readonly id?: string;
  /** `second`: beside another one; `link`: looks like one. */
  readonly look?: 'second' | 'link' | undefined;
  readonly isFocused?: boolean;
}

/** A button that says what its form does. */
export function button(
  action: string,
  text: Html | string,
  { id = action, look, isFocused }: ButtonLook = {},
): Html {
  const kind = look === undefined ? undefined : html` class="${look}"`;
  const focus = isFocused ? html`autofocus` : undefined;
  return html`<button name="action" value="${action}" id="${id}" ${kind} ${focus}>${text}</button>`;
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
export function aside(carried: Carried, action: string, text: string): Html {
  return form(carried, button(action, text, { look: 'link' }));
}
