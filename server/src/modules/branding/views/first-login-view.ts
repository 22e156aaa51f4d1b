import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { button } from './parts.ts';
import { shell } from './shell.ts';

interface FirstLoginPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  readonly token: string;
  /** Who logs in. */
  readonly identifier: string;
}

/** Browsers fetch addresses before anybody goes there: only the button logs in. */
export function firstLoginView({ look, field, token, identifier }: FirstLoginPage): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('first_login.title') },
    html`<p>${texts.html('first_login.as', { identifier })}</p>
      <form method="post" action="first-login">
        ${field}<input type="hidden" name="token" value="${token}" />
        ${button('log_in', texts.text('action.log_in'), { id: 'first-login' })}
      </form>
      <p class="hint">${texts.text('first_login.once')}</p>`,
  );
}

/** The link was used, or is too old, or was never printed: there is no telling which. */
export function endedFirstLoginView(look: Pick<Look, 'texts'> & Partial<Look>): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('link.ended_title') },
    html`<p>${texts.text('first_login.ended')}</p>
      <p><a href="/console">${texts.text('action.log_in')}</a></p>`,
  );
}
