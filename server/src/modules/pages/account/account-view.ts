import {
  ACCOUNT_SECTIONS,
  type AccountDone,
  type AccountSection,
} from '@keywright/contract/routes/account';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { shell } from '../hosted/index.ts';
import { action, type Carried } from './parts.ts';

const STYLE = style(`
main{max-width:44rem}footer{max-width:44rem}
nav{margin-block-start:1rem}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1.5rem;padding:0 0 .75rem;list-style:none;border-block-end:1px solid var(--line)}
nav a{display:inline-block;min-height:24px;color:var(--muted)}nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
.items{margin:.75rem 0;padding:0;list-style:none}.items li{padding:.75rem 0;border-block-end:1px solid var(--line)}.items form{margin-top:.25rem}
.items button{margin-top:.25rem}.empty{color:var(--muted)}
.done{padding:.75rem;border-radius:var(--corner);background:var(--ok-tint);color:var(--ok)}
.danger{width:auto;min-height:24px;padding:0;border:0;background:none;color:var(--bad);text-decoration:underline;font-weight:400}
`);

const TITLES: Readonly<Record<AccountSection, string>> = {
  overview: 'Overview',
  addresses: 'Addresses',
  security: 'Ways to log in',
  sessions: 'Sessions',
  apps: 'Connected apps',
  agents: 'Agents that act for me',
};

const DONE: Readonly<Record<AccountDone, string>> = {
  address_added: 'Added. You can log in with this address from now on.',
  address_removed: 'Removed. Nobody logs in with this address any more.',
  password_changed: 'Your password is changed. Your other sessions have ended.',
  factor_added: 'Added.',
  factor_removed: 'Removed.',
  factor_renamed: 'Renamed.',
  session_ended: 'Ended. That device has to log in again.',
  sessions_ended: 'Ended. All other devices have to log in again.',
  app_ended: 'Ended. The app cannot use your account any more.',
  agent_ended: 'Ended. The agent cannot act for you any more.',
};

interface AccountPage extends Carried {
  readonly look: Look;
  readonly identifier: string;
  readonly done?: AccountDone | undefined;
  readonly problem?: string | undefined;
}

/** A section of the account, around what it is about. */
export function accountView(page: AccountPage, body: Html): Html {
  const { look, section, done, problem } = page;
  const title = TITLES[section];
  return shell(
    {
      look,
      title: section === 'overview' ? 'Your account' : title,
      problem,
      head: STYLE,
      lead: html`<span class="who">${page.identifier}</span>`,
    },
    html`
      ${done === undefined ? undefined : html`<p role="status" class="done">${DONE[done]}</p>`}
      <nav aria-label="Account">
        <ul>
          ${ACCOUNT_SECTIONS.map((one) => link(one, one === section))}
        </ul>
      </nav>
      ${body} ${action(page, 'logout', 'Log out', { look: 'link' })}
    `,
  );
}

function link(to: AccountSection, isCurrent: boolean): Html {
  const current = isCurrent ? html`aria-current="page"` : undefined;
  return html`<li><a href="account?section=${to}" ${current}>${TITLES[to]}</a></li>`;
}
