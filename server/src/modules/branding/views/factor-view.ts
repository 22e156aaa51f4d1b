import { type Html, html } from '../../../platform/http/pages/html.ts';
import { aside, button, type Carried, field, form } from './parts.ts';
import { shell } from './shell.ts';

interface TotpPage extends Carried {
  /** Base32. */
  readonly key: string;
  readonly uri: string;
  /** Of the address. */
  readonly qr: Html;
  readonly problem?: Html | string | undefined;
}

/** A new authenticator app. */
export function totpView(page: TotpPage): Html {
  const groups = page.key.match(/.{1,4}/g) ?? [];
  const { texts } = page.look;
  return shell(
    { look: page.look, title: texts.text('totp.add'), problem: page.problem },
    html`
      <p>${texts.html('totp.key', { link: { href: page.uri } })}</p>
      ${page.qr}
      <p><code id="totp-key">${groups.join(' ')}</code></p>
      ${form(
        page,
        field({
          name: 'code',
          label: texts.text('totp.code'),
          autocomplete: 'one-time-code',
          isNumeric: true,
          isFocused: true,
        }),
        button('confirm_totp', texts.text('action.continue')),
      )}
      ${aside(page, 'restart', texts.text('action.start_again'))}
    `,
  );
}

interface CodesPage extends Pick<Carried, 'look'> {
  readonly codes: readonly string[];
  readonly continueAt: string;
}

/** Recovery codes, which are shown once. */
export function codesView({ look, codes, continueAt }: CodesPage): Html {
  const isOne = codes.length === 1;
  const { texts } = look;
  return shell(
    {
      look,
      title: texts.text(isOne ? 'codes.next_title' : 'codes.title'),
      lead: texts.text(isOne ? 'codes.next_lead' : 'codes.lead'),
    },
    html`<ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p>
        <a id="codes-continue" href="${continueAt}"
          >${texts.text(isOne ? 'codes.next_kept' : 'codes.kept')}</a
        >
      </p>`,
  );
}
