import { type Html, html } from '../../../platform/http/pages/html.ts';
import { aside, button, type Carried, form } from './parts.ts';
import { shell } from './shell.ts';

/** What each scope of OpenID Connect lets an application do. */
const MEANINGS: Readonly<Record<string, string>> = {
  openid: 'Know that it is you',
  profile: 'Read your name and your profile',
  email: 'Read your e-mail address',
  phone: 'Read your phone number',
  offline_access: 'Keep its access while you are away',
};

const VERBS: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Change',
  delete: 'Delete',
  '*': 'Read, change and delete',
};

/** Something that an application asks for. */
export interface Permission {
  readonly scope: string;
  /** The resource that it is asked for at, if it is one. */
  readonly at?: string;
  /** Default: by what the scope is. */
  readonly description?: string;
}

interface ConsentPage extends Carried {
  readonly clientName: string;
  readonly tenantName: string;
  readonly identifier: string;
  /** Where the user returns to. */
  readonly host: string;
  readonly asked: readonly Permission[];
  /** What it has already. */
  readonly known: readonly Permission[];
}

/** What an application asks for: what is new first, and what it has already. */
export function consentView(page: ConsentPage): Html {
  const { clientName, asked, known } = page;
  return shell(
    {
      look: page.look,
      title: `Let ${clientName} use your account?`,
      lead: html`You are <span class="who">${page.identifier}</span> at ${page.tenantName}.`,
    },
    html`
      <h2>It will be able to</h2>
      <ul>
        ${asked.map((one) => html`<li>${meaningOf(one)}</li>`)}
      </ul>
      ${
        known.length > 0
          ? html`<h2>It already can</h2>
              <ul>
                ${known.map((one) => html`<li>${meaningOf(one)}</li>`)}
              </ul>`
          : undefined
      }
      <p class="hint">You return to <b>${page.host}</b>. You can take this back at any time.</p>
      ${form(
        page,
        button('allow', 'Allow', { id: 'consent-allow' }),
        button('deny', 'Do not allow', { id: 'consent-deny', look: 'second' }),
      )}
      ${aside(page, 'another', 'Use another account')}
    `,
  );
}

function meaningOf({ scope, at, description = nameOf(scope) }: Permission): string {
  return at === undefined ? description : `${at}: ${description}`;
}

function nameOf(scope: string): string {
  const [action = '', resource] = scope.split(':', 2);
  if (resource === undefined) return MEANINGS[scope] ?? scope;
  const what = resource === '*' ? 'everything that you may' : resource;
  return `${VERBS[action] ?? action}: ${what}`;
}

interface AccountPage extends Carried {
  readonly clientName: string;
  readonly identifier: string;
}

/** Which account? A browser has one login per tenant: that, or another one. */
export function accountView(page: AccountPage): Html {
  return shell(
    {
      look: page.look,
      title: 'Choose an account',
      lead: html`to continue to <b>${page.clientName}</b>`,
    },
    form(
      page,
      button('select', `Continue as ${page.identifier}`),
      button('another', 'Use another account', { look: 'second' }),
    ),
  );
}
