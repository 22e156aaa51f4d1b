import { type Html, html } from '../../../platform/http/pages/html.ts';
import { aside, button, type Carried, field, form } from './parts.ts';
import { shell } from './shell.ts';

interface TotpPage extends Carried {
  /** Base32. */
  readonly key: string;
  readonly uri: string;
  readonly problem?: string | undefined;
}

/** A new authenticator app. */
export function totpView(page: TotpPage): Html {
  const groups = page.key.match(/.{1,4}/g) ?? [];
  return shell(
    { look: page.look, title: 'Add an authenticator app', problem: page.problem },
    html`
      <p>
        Add this key to your app, or <a href="${page.uri}">open it in an app on this device</a>:
      </p>
      <p><code id="totp-key">${groups.join(' ')}</code></p>
      ${form(
        page,
        field({
          name: 'code',
          label: 'The code that it shows',
          autocomplete: 'one-time-code',
          isNumeric: true,
          isFocused: true,
        }),
        button('confirm_totp', 'Continue'),
      )}
      ${aside(page, 'restart', 'Start again')}
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
  return shell(
    {
      look,
      title: isOne ? 'Your next recovery code' : 'Your recovery codes',
      lead: isOne
        ? 'The one that you used is used up. This one takes its place. It is shown only now.'
        : 'Each lets you in once if you lose your app. They are shown only now: keep them somewhere safe.',
    },
    html`<ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p>
        <a id="codes-continue" href="${continueAt}"
          >I have kept ${isOne ? 'it' : 'them'}. Continue</a
        >
      </p>`,
  );
}
