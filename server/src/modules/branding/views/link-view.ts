import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { button, type Carried, form } from './parts.ts';
import { shell } from './shell.ts';

interface LinkPage extends Carried {
  readonly linkToken: string;
  readonly clientName: string;
  /** Masked. */
  readonly sentTo: string;
}

/** The link of a message, in the browser that asked for it. */
export function linkView(page: LinkPage): Html {
  const { texts } = page.look;
  return shell(
    {
      look: page.look,
      title: texts.text('link.title'),
      lead: texts.html('link.lead', { client: page.clientName, address: page.sentTo }),
    },
    form(
      page,
      html`<input type="hidden" name="link_token" value="${page.linkToken}" />`,
      button('link', texts.text('action.log_in'), { isFocused: true }),
    ),
  );
}

interface Elsewhere extends Pick<Carried, 'look'> {
  readonly userAgent: string | null;
  readonly begunAt: Date;
  readonly now: Date;
}

/** The same in another browser, or in the hands of somebody else, whose login it is not. */
export function elsewhereView({ look, userAgent, begunAt, now }: Elsewhere): Html {
  const minutes = Math.max(0, Math.floor((now.getTime() - begunAt.getTime()) / 60_000));
  const { texts } = look;
  const browser = browserOf(userAgent, texts) ?? texts.text('browser.unknown');
  return shell(
    { look, title: texts.text('link.elsewhere_title') },
    html`<p>${texts.html('link.elsewhere', { browser, minutes })}</p>
      <p>${texts.text('link.if_you')}</p>
      <p>${texts.text('link.if_not_you')}</p>`,
  );
}

/** One that was used, or is too old. */
export function endedLinkView({ look }: Pick<Carried, 'look'>): Html {
  return shell(
    { look, title: look.texts.text('link.ended_title') },
    html`<p>${look.texts.text('link.ended')}</p>`,
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** As people call it, if they do. The header is what anybody wrote there, so nothing else of it is shown. */
export function browserOf(userAgent: string | null, texts: Texts): string | undefined {
  const named = (list: typeof BROWSERS) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined || system === undefined) return browser;
  return texts.text('browser.on', { browser, system });
}
