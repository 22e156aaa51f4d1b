import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import { aside, type Carried } from './parts.ts';
import { shell } from './shell.ts';

/** A key of localStorage: this browser has used a passkey, so the login page offers one while an address is typed. */
const USED = 'kw-passkey';

/** Sends what the browser answers. Nothing but public options is in the page. */
const askWith = (parse: string, get: string) =>
  script(`
const form = document.forms[0], problem = document.getElementById('passkey-problem');
const ask = async () => {
  problem.hidden = true;
  try {
    const publicKey = PublicKeyCredential.${parse}(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.${get}({ publicKey });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    try { localStorage.setItem('${USED}', '1'); } catch {}
    form.submit();
  } catch { problem.hidden = false; }
};
document.getElementById('passkey-again').addEventListener('click', (event) => { event.preventDefault(); ask(); });
ask();
`);
const ASK = askWith('parseRequestOptionsFromJSON', 'get');
const CREATE = askWith('parseCreationOptionsFromJSON', 'create');

interface PasskeyPage extends Carried {
  readonly options: object;
}

/** A passkey needs a script by its nature. */
export function passkeyView(page: PasskeyPage): Html {
  return assertionView(inLogin(page));
}

/** A new one, where a login needs it. */
export function newPasskeyView(page: PasskeyPage): Html {
  return scriptedView(inLogin(page), {
    title: 'passkey.add',
    action: 'confirm_passkey',
    problem: 'passkey.not_made',
    run: CREATE,
  });
}

/** One that exists, in a login or elsewhere. */
export function assertionView(page: Asking): Html {
  return scriptedView(page, {
    title: 'login.passkey',
    action: 'prove_passkey',
    problem: 'passkey.none',
    run: ASK,
  });
}

interface Asking extends Pick<PasskeyPage, 'look' | 'options'> {
  /** That the form is sent to. */
  readonly address: 'continue' | 'undo';
  /** Of the form, which are not typed. */
  readonly fields: Html;
  /** What the passkey is for, where it is not for a login. */
  readonly purpose?: { readonly title: string; readonly lead: Html; readonly text: string };
  readonly aside?: Html;
}

function inLogin(page: PasskeyPage): Asking {
  const { look, options, token, request } = page;
  const fields = html`${token}<input type="hidden" name="request" value="${request}" />`;
  const other = aside(page, 'restart', look.texts.text('action.log_in_differently'));
  return { look, options, address: 'continue', fields, aside: other };
}

interface Scripted {
  readonly title: 'login.passkey' | 'passkey.add';
  readonly action: string;
  readonly problem: 'passkey.none' | 'passkey.not_made';
  readonly run: Html;
}

function scriptedView(page: Asking, { title, action, problem, run }: Scripted): Html {
  const { look, address, fields, options, purpose } = page;
  const { texts } = look;
  const head = purpose ?? { title: texts.text(title), lead: texts.text('passkey.lead') };
  return shell(
    { look, title: head.title, lead: head.lead },
    html`${purpose && html`<p>${purpose.text}</p>`}
      <form method="post" action="${address}" data-options="${JSON.stringify(options)}">
        ${fields}
        <input type="hidden" name="action" value="${action}" />
        <input type="hidden" name="credential" value="" />
        <button id="passkey-again">${texts.text('passkey.ask_again')}</button>
      </form>
      <p role="alert" id="passkey-problem" hidden>${texts.text(problem)}</p>
      <noscript><p role="alert">${texts.text('passkey.needs_script')}</p></noscript>
      ${page.aside}${run}`,
  );
}

/**
 * Offers a passkey where the address is typed (WebAuthn Level 3 §5.1.4, conditional mediation), in browsers that have used
 * one: each offer begins a flow. The page of the button is read for its options; nothing depends on this script.
 */
export const OFFER = script(`
const offer = async () => {
  if (!localStorage.getItem('${USED}') || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  const fields = new URLSearchParams({ action: 'passkey' });
  for (const name of ['form_token', 'request']) fields.set(name, document.forms[0].elements[name].value);
  const read = new XMLHttpRequest();
  read.open('POST', 'continue');
  read.responseType = 'document';
  read.onload = async () => {
    const form = read.response.querySelector('form[data-options]');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.get({ publicKey, mediation: 'conditional' });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.hidden = true;
    document.body.append(document.adoptNode(form));
    form.submit();
  };
  read.send(fields);
};
offer().catch(() => {});
`);
