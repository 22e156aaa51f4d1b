import { type Html, html } from '../../../platform/http/pages/html.ts';
import { hostOf } from './leave-view.ts';
import { button, type Carried } from './parts.ts';
import { shell } from './shell.ts';

interface Returning extends Pick<Carried, 'look'> {
  /** Where the user may go on: an address that the application has registered. */
  readonly returnsTo: URL | undefined;
}

interface LogoutPage extends Carried, Returning {
  readonly tenantName: string;
  readonly identifier: string;
  /** Where it wanted them to return to is no address of the application. */
  readonly isRefusedReturn: boolean;
}

/** Log out? Whoever sent the browser here is not believed that its user wants to. */
export function logoutView(page: LogoutPage): Html {
  const { tenantName, identifier, request, token, returnsTo, isRefusedReturn } = page;
  return shell(
    {
      look: page.look,
      title: `Log out of ${tenantName}?`,
      lead: html`You are logged in as <span class="who">${identifier}</span>.`,
    },
    html`<p class="hint">
        Applications that you opened with this login end it, too.
        ${returnsTo && html`Then you return to <b>${hostOf(returnsTo)}</b>.`}
        ${
          isRefusedReturn
            ? 'You do not return to the application: it could not be verified that it asked for this.'
            : undefined
        }
      </p>
      <form method="post" action="confirm">
        ${token}<input type="hidden" name="request" value="${request}" />
        ${button('logout', 'Log out', { id: 'logout-confirm' })}
        ${button('stay', 'Stay logged in', { id: 'logout-cancel', look: 'second' })}
      </form>`,
  );
}

interface LoggedOutPage extends Returning {
  /** Applications that this login was used in: those that are told of its end, and the others. */
  readonly told?: readonly string[];
  readonly notTold?: readonly string[];
}

export function loggedOutView({ look, returnsTo, told = [], notTold = [] }: LoggedOutPage): Html {
  return shell(
    { look, title: 'You are logged out' },
    html`${listed('told', 'These applications are told:', told)}
    ${listed('not-told', 'These are not told. Log out there yourself:', notTold)}
    ${onward(returnsTo)}`,
  );
}

function listed(id: string, text: string, names: readonly string[]): Html | undefined {
  if (names.length === 0) return undefined;
  return html`<p id="${id}">${text}</p>
    <ul>
      ${names.map((name) => html`<li>${name}</li>`)}
    </ul>`;
}

export function stayedView({ look, returnsTo }: Returning): Html {
  return shell({ look, title: 'You are still logged in' }, onward(returnsTo));
}

function onward(to: URL | undefined): Html {
  if (!to) return html`<p>You can close this page.</p>`;
  return html`<p><a id="leave" href="${String(to)}">Continue to ${hostOf(to)}</a></p>`;
}
