import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { button, type Carried, form, shell } from './page.ts';

/**
 * The last page of a login, which redirects by itself. Because of `form-action 'self'`, browsers refuse to redirect a
 * form to another origin.
 */
export function redirectView(to: URL, texts: Texts): Html {
  const head = html`<meta http-equiv="refresh" content="0;url=${String(to)}" />`;
  return shell(
    { look: { texts }, title: texts.text('leave.title'), head },
    html`<p>${texts.html('leave.back', { host: hostOf(to), link: linkTo(to) })}</p>`,
  );
}

/** The page that redirects by itself to an identity provider. */
export function providerRedirectView(to: URL, texts: Texts): Html {
  const head = html`<meta http-equiv="refresh" content="0;url=${String(to)}" />`;
  return shell(
    { look: { texts }, title: texts.text('leave.title'), head },
    html`<p>${texts.html('leave.provider', { host: hostOf(to), link: linkTo(to) })}</p>`,
  );
}

/** The page was open for too long: the login starts again. */
export function tooOldView(page: Carried): Html {
  const { texts } = page.look;
  return shell(
    { look: page.look, title: texts.text('too_old.title'), lead: texts.text('too_old.lead') },
    form(page, button('restart', texts.text('too_old.again'), { isFocused: true })),
  );
}

const SUBMIT = script('document.forms[0].submit()');

/** The page of the response mode `form_post`. A script submits the form; without scripts, a button does. */
export function formPostView(to: URL, parameters: ReadonlyMap<string, string>, texts: Texts): Html {
  return shell(
    { look: { texts }, title: texts.text('leave.title') },
    html`${formTo(to, parameters, texts)} ${SUBMIT}`,
  );
}

function formTo(to: URL, parameters: ReadonlyMap<string, string>, texts: Texts): Html {
  const fields = [...parameters].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${String(to)}">
    ${fields}<button id="leave">${texts.html('leave.continue', { host: hostOf(to) })}</button>
  </form>`;
}

interface StoppedPage {
  readonly to: URL;
  /** The fields of the response mode `form_post`; undefined if they are in the URL. */
  readonly fields?: ReadonlyMap<string, string>;
  /** For the developers of the application. */
  readonly detail: string;
  readonly texts: Texts;
}

/** An error of an application that the user has never authorized: the page does not redirect by itself. */
export function stoppedView({ to, fields, detail, texts }: StoppedPage): Html {
  const text = texts.html('leave.continue', { host: hostOf(to) });
  return shell(
    { look: { texts }, title: texts.text('stopped.title') },
    html`<p>${texts.text('stopped.lead')}</p>
      <p class="warn" id="unverified">${texts.html('stopped.host', { host: hostOf(to) })}</p>
      ${fields ? formTo(to, fields, texts) : html`<p><a id="leave" href="${String(to)}">${text}</a></p>`}
      <p class="hint" lang="en" dir="ltr">${detail}</p>`,
  );
}

interface StartAgainPage {
  readonly to: URL;
  /** Whether an administrator created the application, or the user has authorized it at this address. */
  readonly isVetted: boolean;
  /** For the developers of the application. */
  readonly detail: string;
  readonly texts: Texts;
}

/** The error page of a request without a redirect URI, with a link to the page where the application starts a login. */
export function startAgainView({ to, isVetted, detail, texts }: StartAgainPage): Html {
  const host = hostOf(to);
  return shell(
    { look: { texts }, title: texts.text('start_again.title') },
    html`<p>${texts.text('start_again.lead')}</p>
      ${isVetted ? '' : html`<p class="warn" id="unverified">${texts.html('stopped.host', { host })}</p>`}
      <p><a id="leave" href="${String(to)}">${texts.html('leave.continue', { host })}</a></p>
      <p class="hint" lang="en" dir="ltr">${detail}</p>`,
  );
}

function linkTo(to: URL) {
  return { id: 'leave', href: String(to) };
}

/** The destination as shown to users: the host, or the scheme of an app, which cannot be mistaken for a host. */
export function hostOf({ host, protocol }: URL): string {
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`;
}
