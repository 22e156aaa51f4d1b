import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { field } from './fields.ts';
import { type Carried, aside, button, form, listsOf, shell } from './page.ts';

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
    {
      look: page.look,
      title: texts.text('totp.add'),
      problem: page.problem,
      head: listsOf(page.look),
    },
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
  const isSingle = codes.length === 1;
  const { texts } = look;
  return shell(
    {
      look,
      title: texts.text(isSingle ? 'codes.next_title' : 'codes.title'),
      lead: texts.text(isSingle ? 'codes.next_lead' : 'codes.lead'),
      head: listsOf(look),
    },
    codesList(codes, continueAt, texts),
  );
}

/** Recovery codes with what helps to keep them. They can be downloaded without a script. */
export function codesList(codes: readonly string[], continueAt: string, texts: Texts): Html {
  const file = Buffer.from(`${codes.join('\n')}\n`).toString('base64');
  const confirmation = texts.text(codes.length === 1 ? 'codes.next_kept' : 'codes.kept');
  return html`<ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p class="keep">
      <button
        type="button"
        id="codes-copy"
        class="second"
        data-done="${texts.text('codes.copied')}"
        hidden
      >
        ${texts.text('codes.copy')}
      </button>
      <a
        id="codes-download"
        class="button second"
        href="data:text/plain;base64,${file}"
        download="recovery-codes.txt"
        >${texts.text('codes.download')}</a
      >
      <button type="button" id="codes-print" class="second" hidden>
        ${texts.text('codes.print')}
      </button>
    </p>
    <p><a id="codes-continue" href="${continueAt}" class="button">${confirmation}</a></p>
    ${KEEP_CODES}`;
}

/** Shows the buttons that need a script. */
const KEEP_CODES = script(`
for (const [id, act] of Object.entries({
  'codes-copy': async (button) => {
    await navigator.clipboard.writeText([...document.querySelectorAll('.codes code')].map((code) => code.textContent).join('\\n'));
    button.textContent = button.dataset.done;
  },
  'codes-print': () => print(),
})) {
  const button = document.getElementById(id);
  button.hidden = false;
  button.addEventListener('click', () => act(button));
}
`);

/** A key of localStorage: this browser has used a passkey, so the login page offers one while an address is typed. */
const USED = 'kw-passkey';

/** Submits the response of the browser. The page contains only public options. */
const credentialScript = (parse: string, get: string) =>
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
const GET = credentialScript('parseRequestOptionsFromJSON', 'get');
const CREATE = credentialScript('parseCreationOptionsFromJSON', 'create');

interface PasskeyPage extends Carried {
  readonly options: object;
}

/** Asks for a passkey, which needs a script. */
export function passkeyView(page: PasskeyPage): Html {
  return assertionView(inLogin(page));
}

/** Asks for a new passkey that a login requires. */
export function newPasskeyView(page: PasskeyPage): Html {
  return scriptedView(inLogin(page), {
    title: 'passkey.add',
    action: 'confirm_passkey',
    problem: 'passkey.not_made',
    run: CREATE,
  });
}

/** Asks for an existing passkey, in a login or elsewhere. */
export function assertionView(page: PasskeyRequest): Html {
  return scriptedView(page, {
    title: 'login.passkey',
    action: 'prove_passkey',
    problem: 'passkey.none',
    run: GET,
  });
}

interface PasskeyRequest extends Pick<PasskeyPage, 'look' | 'options'> {
  /** The URL that the form is submitted to. */
  readonly address: 'continue' | 'undo';
  /** The hidden fields of the form. */
  readonly fields: Html;
  /** The purpose of the passkey, if it is not a login. */
  readonly purpose?: { readonly title: string; readonly lead: Html; readonly text: string };
  readonly aside?: Html;
}

function inLogin(page: PasskeyPage): PasskeyRequest {
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

function scriptedView(page: PasskeyRequest, { title, action, problem, run }: Scripted): Html {
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
 * Offers a passkey in the field of the address (WebAuthn Level 3 §5.1.4, conditional mediation). Only browsers that
 * have used a passkey get the offer, because each offer starts a flow. The script reads the options from the page that
 * the passkey button opens; nothing depends on this script.
 */
export const OFFER = script(`
const offer = async () => {
  if (!localStorage.getItem('${USED}') || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  const button = document.querySelector('#passkey');
  const fields = new URLSearchParams(new FormData(button.form, button));
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

/** The width of the light border around the code, in modules (ISO/IEC 18004 §9.1). */
const QUIET = 4;

/**
 * Returns an inline QR code, so that no URL contains its text. It is black on white even in dark schemes, because some
 * readers require that. The encoder is loaded with the first code.
 */
export async function qrOf(text: string, label: string): Promise<Html> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const across = size + 2 * QUIET;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${across} ${across}">
    <path fill="#fff" d="M0 0h${across}v${across}H0z" />
    <path stroke="#000" d="${data.map(lineOf).join('')}" />
  </svg>`;
}

/** The dark runs of a row, as strokes through its middle. */
function lineOf(row: readonly boolean[], y: number): string {
  let line = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x += 1;
    line += `M${from + QUIET} ${y + QUIET}.5h${x + 1 - from}`;
  }
  return line;
}
