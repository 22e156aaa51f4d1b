import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { type Carried, button, hostOf, shell } from './page.ts';

interface ReturningPage extends Pick<Carried, 'look'> {
  /** The address that the user can continue to, which the application has registered. */
  readonly returnsTo: URL | undefined;
}

interface LogoutPage extends Carried, ReturningPage {
  readonly tenantName: string;
  readonly identifier: string;
  /** Whether the requested address is not registered for the application. */
  readonly isRefusedReturn: boolean;
}

/** Asks whether to log out: an application may have sent the browser here against the user's will. */
export function logoutView(page: LogoutPage): Html {
  const { tenantName, identifier, request, token, returnsTo, isRefusedReturn } = page;
  const { texts } = page.look;
  const who = html`<span class="who">${identifier}</span>`;
  return shell(
    {
      look: page.look,
      title: texts.text('logout.title', { tenant: tenantName }),
      lead: texts.html('logout.lead', { identifier: who }),
    },
    html`<p class="hint">
        ${texts.text('logout.applications')}
        ${returnsTo && texts.html('logout.return', { host: hostOf(returnsTo) })}
        ${isRefusedReturn ? texts.text('logout.no_return') : undefined}
      </p>
      <form method="post" action="confirm">
        ${token}<input type="hidden" name="request" value="${request}" />
        ${button('logout', texts.text('logout.submit'), { id: 'logout-confirm' })}
        ${button('stay', texts.text('logout.stay'), { id: 'logout-cancel', look: 'second' })}
      </form>`,
  );
}

/** An application that the login was used in. */
interface NotifiedApplication {
  readonly name: string;
  /** `told`: it was notified; `waiting`: it has not responded yet; `unknown`: it receives no notification. */
  readonly outcome: 'notified' | 'waiting' | 'failed' | 'unknown';
}

interface LoggedOutPage extends ReturningPage {
  readonly applications?: readonly NotifiedApplication[];
  /** The URL that reloads this page. */
  readonly again?: string;
}

/** The page after a logout, with the result for each application. */
export function loggedOutView({ look, returnsTo, applications = [], again }: LoggedOutPage): Html {
  const { texts } = look;
  const named = (outcome: NotifiedApplication['outcome']) =>
    applications.filter((application) => application.outcome === outcome).map(({ name }) => name);
  const waiting = named('waiting');
  const isOpen = waiting.length > 0 && again !== undefined;
  return shell(
    { look, title: texts.text('logout.done') },
    html`${listed('told', texts.text('logout.told'), named('notified'))}
    ${listed('waiting', texts.text('logout.waiting'), waiting)}
    ${isOpen ? html`<p><a id="logout-again" href="${again}" class="link">${texts.text('logout.again')}</a></p>` : undefined}
    ${listed('failed', texts.text('logout.failed'), named('failed'))}
    ${listed('not-told', texts.text('logout.not_told'), named('unknown'))}
    ${continueLink(returnsTo, texts)}`,
  );
}

function listed(id: string, text: string, names: readonly string[]): Html | undefined {
  if (names.length === 0) return undefined;
  return html`<p id="${id}">${text}</p>
    <ul>
      ${names.map((name) => html`<li>${name}</li>`)}
    </ul>`;
}

export function stayedView({ look, returnsTo }: ReturningPage): Html {
  return shell(
    { look, title: look.texts.text('logout.stayed') },
    continueLink(returnsTo, look.texts),
  );
}

function continueLink(to: URL | undefined, texts: Texts): Html {
  if (!to) return html`<p>${texts.text('logout.close')}</p>`;
  const text = texts.html('leave.continue', { host: hostOf(to) });
  return html`<p><a id="leave" href="${String(to)}" class="button">${text}</a></p>`;
}
