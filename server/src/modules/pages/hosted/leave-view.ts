import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import { button, type Carried, form } from './parts.ts';
import { shell } from './shell.ts';

/**
 * The last page of a login. A redirect behind a form would be one of `form-action 'self'`, which browsers refuse, so this
 * page leads away by itself.
 */
export function leaveView(to: URL): Html {
  const head = html`<meta http-equiv="refresh" content="0;url=${String(to)}" />`;
  return shell(
    { title: 'One moment', head },
    html`<p>You return to <a id="leave" href="${String(to)}">${hostOf(to)}</a>.</p>`,
  );
}

/** The same on the way to an identity provider. */
export function goView(to: URL): Html {
  const head = html`<meta http-equiv="refresh" content="0;url=${String(to)}" />`;
  return shell(
    { title: 'One moment', head },
    html`<p>You log in at <a id="leave" href="${String(to)}">${hostOf(to)}</a>.</p>`,
  );
}

/** A page that was left open for too long: the login begins again. */
export function tooOldView(page: Carried): Html {
  return shell(
    {
      look: page.look,
      title: 'This page is too old',
      lead: 'Nothing was done. You can begin again.',
    },
    form(page, button('restart', 'Begin again', { isFocused: true })),
  );
}

const SUBMIT = script('document.forms[0].submit()');

/** The response mode `form_post`: without scripts by a button. */
export function formPostView(to: URL, parameters: ReadonlyMap<string, string>): Html {
  const fields = [...parameters].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return shell(
    { title: 'One moment' },
    html`<form method="post" action="${String(to)}">
        ${fields}<button id="leave">Continue to ${hostOf(to)}</button>
      </form>
      ${SUBMIT}`,
  );
}

/** For people: the host, or the scheme of an app. */
export function hostOf({ host, protocol }: URL): string {
  return host === '' ? protocol.slice(0, -1) : host;
}
