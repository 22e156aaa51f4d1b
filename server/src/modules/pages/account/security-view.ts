import type { CreatedTotp } from '@keywright/contract/records/factor';
import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import { action, type Carried, input } from './parts.ts';

const BACK = html`<p><a href="account?section=security">Back</a></p>`;

/** The key of a new authenticator app. */
export function totpForm(carried: Carried, { id, secret, uri }: CreatedTotp): Html {
  const groups = secret.match(/.{1,4}/g) ?? [];
  return html`<p>
      Add this key to your app, or <a href="${uri}">open it in an app on this device</a>:
    </p>
    <p><code id="totp-key">${groups.join(' ')}</code></p>
    ${action(carried, 'confirm_totp', 'Continue', {
      hidden: { id },
      fields: input('code', 'The code that it shows', {
        autocomplete: 'one-time-code',
        isNumeric: true,
      }),
    })}
    ${BACK}`;
}

/** Recovery codes, which are shown once. */
export function codesView(codes: readonly string[]): Html {
  return html`<h2>Your recovery codes</h2>
    <p>
      Each lets you in once if you lose your other ways. They are shown only now: keep them
      somewhere safe.
    </p>
    <ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a id="codes-continue" href="account?section=security">I have kept them. Continue</a></p>`;
}

const ASK = script(`
const form = document.getElementById('passkey'), problem = document.getElementById('passkey-problem');
const ask = async () => {
  problem.hidden = true;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.create({ publicKey });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch { problem.hidden = false; }
};
document.getElementById('passkey-again').addEventListener('click', (event) => { event.preventDefault(); ask(); });
ask();
`);

/** A passkey needs a script by its nature. */
export function passkeyForm({ section, session, token }: Carried, options: object): Html {
  const kept = { section, session, action: 'save_passkey', credential: '' };
  return html`<p>Your browser or device asks you to make a passkey.</p>
    <form method="post" action="account" id="passkey" data-options="${JSON.stringify(options)}">
      ${token}${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button id="passkey-again">Ask again</button>
    </form>
    <p role="alert" id="passkey-problem" hidden>No passkey was made, or it was cancelled.</p>
    <noscript><p role="alert">A passkey needs JavaScript, which is turned off here.</p></noscript>
    ${BACK}${ASK}`;
}
