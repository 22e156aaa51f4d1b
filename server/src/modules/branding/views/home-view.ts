import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { shell } from './shell.ts';

interface HomePage {
  readonly look: Look;
  readonly links: Readonly<Record<'console' | 'account' | 'reference', string>>;
}

/** The page at `/`, for people who open the URL of the service. */
export function homeView({ look, links }: HomePage): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('home.title') },
    html`<h2><a href="${links.console}">${texts.text('home.console')}</a></h2>
      <p class="hint">${texts.text('home.console_about')}</p>
      <h2><a href="${links.account}">${texts.text('home.account')}</a></h2>
      <p class="hint">${texts.text('home.account_about')}</p>
      <h2><a href="${links.reference}">${texts.text('home.reference')}</a></h2>
      <p class="hint">${texts.text('home.reference_about')}</p>
      <h2>${texts.text('home.docs')}</h2>
      <p class="hint">${texts.html('home.docs_about', { folder: 'docs/guide' })}</p>`,
  );
}
