import { NAME_LENGTH } from '@keywright/contract/records/profile';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';

interface Field {
  readonly name: 'identifier' | 'secret' | 'code';
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly isFocused?: boolean;
  /** Only digits are entered. */
  readonly isNumeric?: boolean;
  readonly hint?: Html | undefined;
  /** In the line of the label. */
  readonly labelAction?: Html | undefined;
  /** The name of the button that shows the password. */
  readonly reveal?: string;
}

export function field(options: Field): Html {
  const { name, label, type = 'text', autocomplete, value, isFocused, isNumeric, hint } = options;
  const hintId = `${name}-hint`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <div class="in">
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
      />${options.reveal === undefined ? undefined : revealing(options.reveal)}
    </div>
    ${options.labelAction}${hint === undefined ? undefined : html`<p class="hint" id="${hintId}">${hint}</p>`}
  </div>`;
}

interface NewName {
  readonly value?: string | undefined;
  readonly texts: Texts;
}

/** The field for the name of a new user, if the tenant has turned it on. */
export function nameField(
  names: TenantConfig['registration_name'],
  { value = '', texts }: NewName,
): Html | undefined {
  if (names === 'off') return undefined;
  const isRequired = names === 'required';
  return html`<label for="name"
      >${texts.text(isRequired ? 'field.name' : 'field.name_optional')}</label
    >
    <input
      id="name"
      name="name"
      autocomplete="name"
      maxlength="${NAME_LENGTH}"
      value="${value}"
      ${isRequired ? html`required` : undefined}
    />`;
}

/** Without scripts, the button is not shown. */
function revealing(label: string): Html {
  return html`<button
      type="button"
      class="eye icon"
      aria-label="${label}"
      aria-pressed="false"
      hidden
    ></button
    >${REVEAL}`;
}

const REVEAL = script(`
{
  const eye = document.currentScript.previousElementSibling;
  const input = eye.previousElementSibling;
  eye.hidden = false;
  eye.onclick = () => {
    const isShown = input.type === 'text';
    input.type = isShown ? 'password' : 'text';
    eye.ariaPressed = !isShown;
  };
}
`);
