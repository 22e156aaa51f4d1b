import { html, script } from '../../../platform/http/pages/html.ts';
import { ACCOUNT_LOOK_FILE } from '../../../platform/http/pages/account-look.ts';

/** The style rules of the account in addition to those of every page. */
export const ACCOUNT_STYLE = html`<link
  rel="stylesheet"
  href="assets/look.css?v=${ACCOUNT_LOOK_FILE.digest}"
/>`;

/** Shows times in the time zone of the browser, and the current tab. Without scripts, times are in UTC, as they say. */
export const ACCOUNT_SCRIPT = script(`
{
  const language = document.documentElement.lang + '-u-ca-gregory-nu-latn';
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
  document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' });
}
`);
