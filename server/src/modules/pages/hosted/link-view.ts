import { type Html, html } from '../../../platform/http/pages/html.ts';
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
  return shell(
    {
      look: page.look,
      title: 'Continue to log in',
      lead: html`to <b>${page.clientName}</b>, as ${page.sentTo}`,
    },
    form(
      page,
      html`<input type="hidden" name="link_token" value="${page.linkToken}" />`,
      button('link', 'Log in', { isFocused: true }),
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
  const ago = minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;
  return shell(
    { look, title: 'Continue where you began' },
    html`<p>
        This message was asked for in <b>${browserOf(userAgent)}</b>,
        ${minutes === 0 ? 'just now' : ago}. Its link works in that browser only.
      </p>
      <p>If it was you, type the code of the message there.</p>
      <p>If it was not, give the code to nobody, and close this page: nothing has happened.</p>`,
  );
}

/** One that was used, or is too old. */
export function endedLinkView({ look }: Pick<Carried, 'look'>): Html {
  return shell(
    { look, title: 'This link is no longer valid' },
    html`<p>
      It works once, for 10 minutes. Go back to the application, and ask for another one.
    </p>`,
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

/** As people call it. The header is what anybody wrote there, so nothing else of it is shown. */
export function browserOf(userAgent: string | null): string {
  const named = (list: typeof BROWSERS) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return 'another browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}
