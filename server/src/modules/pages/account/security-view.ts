import type { CreatedTotp } from '@keywright/contract/records/factor';
import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { qrOf } from '../../branding/views/index.ts';
import { action, back, type Carried, input } from './parts.ts';

/** The key of a new authenticator app. */
export async function totpForm(carried: Carried, { id, secret, uri }: CreatedTotp): Promise<Html> {
  const groups = secret.match(/.{1,4}/g) ?? [];
  const { texts } = carried;
  return html`<p>${texts.html('totp.key', { link: { href: uri } })}</p>
    ${await qrOf(uri, texts.text('totp.qr'))}
    <p><code id="totp-key">${groups.join(' ')}</code></p>
    ${action(carried, 'confirm_totp', texts.text('action.continue'), {
      hidden: { id },
      fields: input('code', texts.text('totp.code'), {
        autocomplete: 'one-time-code',
        isNumeric: true,
      }),
    })}
    ${back(carried)}`;
}

/** Recovery codes, which are shown once. */
export function codesView(codes: readonly string[], texts: Texts): Html {
  return html`<h2>${texts.text('codes.title')}</h2>
    <p>${texts.text('security.codes_lead')}</p>
    <ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a id="codes-continue" href="account?section=security">${texts.text('codes.kept')}</a></p>`;
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
export function passkeyForm(carried: Carried, options: object): Html {
  const { section, session, token, texts } = carried;
  const kept = { section, session, action: 'save_passkey', credential: '' };
  return html`<p>${texts.text('security.passkey_lead')}</p>
    <form method="post" action="account" id="passkey" data-options="${JSON.stringify(options)}">
      ${token}${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button id="passkey-again">${texts.text('passkey.ask_again')}</button>
    </form>
    <p role="alert" id="passkey-problem" hidden>${texts.text('passkey.not_made')}</p>
    <noscript><p role="alert">${texts.text('passkey.needs_script')}</p></noscript>
    ${back(carried)}${ASK}`;
}
