import {
  ACCOUNT_SECTIONS,
  type AccountDone,
  type AccountSection,
} from '@keywright/contract/routes/account';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Look } from '../../branding/brand/index.ts';
import { shell } from '../../branding/views/index.ts';
import { action, type Carried } from './parts.ts';

/** Of the account, beside the rules of every page. */
export const ACCOUNT_STYLE = style(`
main{max-width:44rem}footer{max-width:44rem}
nav{margin-block-start:1rem}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1.5rem;padding:0 0 .75rem;list-style:none;border-block-end:1px solid var(--line)}@media(max-width:30rem){nav ul{gap:0 .875rem;font-size:14px}}
nav a,p>a:only-child{display:inline-block;min-width:24px}nav a{color:var(--muted)}nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
.items{margin:.75rem 0;padding:0;list-style:none}.items li{padding:.75rem 0;border-block-end:1px solid var(--line)}.items form{margin-top:.25rem}
.items button{margin-top:.25rem}.empty{color:var(--muted)}
.done{padding:.75rem;border-radius:var(--corner);background:var(--ok-tint);color:var(--ok)}
select{width:100%;height:46px;padding:0 .75rem;background:var(--bg);color:inherit;border:1px solid var(--edge);border-radius:var(--corner);font:inherit}
.danger{width:auto;text-align:start;min-height:24px;padding:0;border:0;background:none;color:var(--bad);text-decoration:underline;font-weight:400}
`);

interface AccountPage extends Carried {
  readonly look: Look;
  readonly identifier: string;
  readonly done?: AccountDone | undefined;
  readonly problem?: Html | string | undefined;
}

/** A section of the account, around what it is about. */
export function accountView(page: AccountPage, body: Html): Html {
  const { look, section, done, problem } = page;
  const { texts } = look;
  return shell(
    {
      look,
      title: texts.text(section === 'overview' ? 'account.title' : `account.section.${section}`),
      problem,
      head: ACCOUNT_STYLE,
      lead: html`<span class="who">${page.identifier}</span>`,
    },
    html`
      ${done === undefined ? undefined : html`<p role="status" class="done">${texts.text(`account.done.${done}`)}</p>`}
      <nav aria-label="${texts.text('account.nav')}">
        <ul>
          ${ACCOUNT_SECTIONS.map((one) => link(one, one === section, texts))}
        </ul>
      </nav>
      ${body} ${action(page, 'logout', texts.text('logout.submit'), { look: 'link' })}
    `,
  );
}

/** The account that the page was of is gone. */
export function deletedView(look: Look): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('data.deleted'), head: ACCOUNT_STYLE },
    html`<p role="status" class="done">${texts.text('data.deleted_text')}</p>`,
  );
}

function link(to: AccountSection, isCurrent: boolean, texts: Texts): Html {
  const current = isCurrent ? html`aria-current="page"` : undefined;
  const text = texts.text(`account.section.${to}`);
  return html`<li><a href="account?section=${to}" ${current}>${text}</a></li>`;
}
