import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import { forDevelopers } from '../../../platform/http/pages/error-page.ts';
import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import type { IconName } from '../../../platform/http/pages/icons.ts';
import { LOOK } from '../../../platform/http/pages/look.ts';
import { LOCALE_NAMES } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Brand, Look } from '../brand/index.ts';

interface Frame {
  /** The look of the page; without a brand, it belongs to no tenant. */
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  readonly title: string;
  /** The title as HTML, if parts of it are not written by the tenant. */
  readonly heading?: Html;
  /** Below the heading. */
  readonly lead?: Html | string | undefined;
  /** The problem with the form. */
  readonly problem?: Html | string | undefined;
  /** Further elements of the head. */
  readonly head?: Html | undefined;
  /** Replaces the tenant's logo. */
  readonly sign?: Html;
  /** Whether the page starts at the top, without the layout of sign-in pages. */
  readonly isTall?: true;
}

/** The frame of a page. */
export function shell(frame: Frame, body: Html): Html {
  const { look, title, heading, lead, problem, head, isTall } = frame;
  const { brand, texts } = look;
  const sign = frame.sign ?? (brand && signOf(brand));
  const isInside = isTall || !brand || brand.logoPosition === 'inside';
  const layout = isTall ? undefined : brand;
  return html`<!doctype html>
    <html lang="${texts.locale}" dir="${texts.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${brand?.icon ?? 'data:,'}" />
        ${brand ? html`<link rel="stylesheet" href="${brand.stylesheet}" />` : LOOK}${layout?.isSplit ? html`<link rel="stylesheet" href="${layout.split}" />` : undefined}${brand?.style}${layout && WHOLE}${head}
      </head>
      <body ${layout ? html`class="${layout.classes}"` : undefined}>
        ${isInside ? undefined : html`<header class="brand">${sign}</header>`}
        <main>
          ${isInside && sign ? html`<p class="brand">${sign}</p>` : undefined}
          <h1>${heading ?? title}</h1>
          ${lead === undefined ? undefined : html`<p class="lead">${lead}</p>`}
          ${problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`}
          ${body}
        </main>
        ${footer(look)}${layout?.isSplit ? nextToForm(layout, texts) : undefined}${layout && END}
      </body>
    </html>`;
}

/** A page in the middle would move if a browser showed its first half (HTML §4.6.7.8). */
const WHOLE = html`<link rel="expect" href="#end" blocking="render" />`;
const END = html`<i id="end" hidden></i>`;

/** The tenant's words next to the form, on wide screens. */
function nextToForm({ name: company, headline, subline }: Brand, texts: Texts): Html {
  return html`<aside class="art">
    <div>
      <h2>${isolated(headline) ?? texts.html('login.headline', { company })}</h2>
      <p>${isolated(subline) ?? texts.html('login.subline')}</p>
    </div>
  </aside>`;
}

/** The words of a tenant can be in another direction than the page. */
function isolated(words: string | undefined): Html | undefined {
  return words === undefined ? undefined : html`<bdi>${words}</bdi>`;
}

/** The logo of the tenant, or its name, with its icon if it has one. */
function signOf({ name, logo, icon, logoHeight: height }: Brand): Html {
  if (!logo) {
    return html`${icon && html`<img src="${icon}" alt="" width="${height}" height="${height}" />`}<span
        >${name}</span
      >`;
  }
  const image = html`<img src="${logo.light}" alt="${name}" height="${height}" />`;
  if (logo.dark === logo.light) return image;
  return html`<picture
    ><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)" />
    ${image}</picture
  >`;
}

function footer({ brand, texts, here }: Frame['look']): Html | undefined {
  const { terms, privacy, support } = brand ?? {};
  const links = [
    terms && html`<a href="${terms}">${texts.text('footer.terms')}</a>`,
    privacy && html`<a href="${privacy}">${texts.text('footer.privacy')}</a>`,
    support && html`<a href="mailto:${support}"><bdi>${support}</bdi></a>`,
  ].filter((link) => link !== undefined);
  if (links.length === 0 && !here) return undefined;
  return html`<footer>${links}${here && languages(texts, here)}</footer>`;
}

/** Offers each language by its native name, in a single form, so that the fields are in the page once. */
function languages(texts: Texts, { action, fields }: NonNullable<Look['here']>): Html {
  const others = TEXT_LOCALES.filter((locale) => locale !== texts.locale);
  const languageButton = (to: TextLocale) => {
    const attributes = html`name="locale" value="${to}" lang="${to}"`;
    return html`<button ${attributes}>${LOCALE_NAMES[to]}</button> `;
  };
  return html`<details>
    <summary class="icon language" title="${texts.text('footer.language')}">
      ${LOCALE_NAMES[texts.locale]}
    </summary>
    <form action="${action}">
      ${Object.entries(fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}${others.map(languageButton)}
    </form>
  </details>`;
}

/** The style sheet of details, codes and hosts, for pages that have any. */
export function listsOf({ brand }: Look): Html {
  return html`<link rel="stylesheet" href="${brand.lists}" />`;
}

/** The fields of every form: the request in progress, and the CSRF token. */
interface FormFields {
  readonly request: string;
  readonly token: Html;
}

export interface Carried extends FormFields {
  /** How the page looks. */
  readonly look: Look;
}

/** A form that is submitted to the page. */
export function form(carried: FormFields, ...parts: readonly (Html | undefined)[]): Html {
  return namedForm(undefined, carried, ...parts);
}

/** A form that buttons outside of it can belong to, because its hidden fields are most of its bytes. */
export function namedForm(
  name: string | undefined,
  { request, token }: FormFields,
  ...parts: readonly (Html | undefined)[]
): Html {
  const id = name === undefined ? undefined : html` id="${name}"`;
  return html`<form method="post" action="continue" ${id}>
    ${token}<input type="hidden" name="request" value="${request}" />${parts}
  </form>`;
}

interface ButtonLook {
  readonly id?: string;
  /** `second`: next to another button; `quiet`: without an edge; `link`: looks like a link. */
  readonly look?: 'second' | 'quiet' | 'link' | undefined;
  readonly isFocused?: boolean;
  /** The form that the button belongs to, if that is not its parent. */
  readonly of?: string | undefined;
}

/** A button that names the action of its form. */
export function button(
  action: string,
  text: Html | string,
  { id = action, look, isFocused, of }: ButtonLook = {},
): Html {
  const kind = look === undefined ? undefined : html` class="${look}"`;
  const focus = isFocused ? html` autofocus` : undefined;
  const owner = of === undefined ? undefined : html` form="${of}"`;
  const attributes = html`name="action" value="${action}" id="${id}"${kind}${focus}${owner}`;
  return html`<button ${attributes}>${text}</button>`;
}

/** The text of a button after an icon. */
export function withIcon(icon: IconName, text: Html | string): Html {
  return html`<span class="icon ${icon}">${text}</span>`;
}

/** A link to another page, for users who did not want this one. */
export function aside(carried: FormFields, action: string, text: string): Html {
  return form(carried, html`<p class="alt">${button(action, text, { look: 'link' })}</p>`);
}

/** API messages about addresses and passwords, and the page texts for them. */
const WORDS: readonly (readonly [
  pattern: RegExp,
  words: (texts: Texts, part: string) => Html | string,
])[] = [
  [
    /^must be an email address, or a phone number such as (\+\d+)$/,
    (texts, example) => texts.html('typed.address', { example }),
  ],
  [/^must be one of your identifiers$/, (texts) => texts.text('typed.own_address')],
  [
    /^has more than (\d+) characters$/,
    (texts, count) => texts.text('typed.too_long', { count: Number(count) }),
  ],
  [
    /^needs at least (\d+) characters$/,
    (texts, count) => texts.text('typed.too_short', { count: Number(count) }),
  ],
  [/^is needed to register$/, (texts) => texts.text('typed.name_missing')],
  [/^must be one line of text /, (texts) => texts.text('typed.name_text')],
  [/^needs a character that is not a letter /, (texts) => texts.text('typed.special')],
  [/^is too similar to a name of the user /, (texts) => texts.text('typed.name')],
  [/^is one of the most common passwords$/, (texts) => texts.text('typed.common')],
  [/^appeared in a data breach /, (texts) => texts.text('typed.breached')],
];

/** @param message the first error's message in a VALIDATION_FAILED; a message without a text remains in English */
export function typedProblem(message: string, texts: Texts): Html | string {
  for (const [pattern, words] of WORDS) {
    const match = pattern.exec(message);
    if (match) return words(texts, match[1] ?? '');
  }
  return texts.html('problem.typed', { problem: inEnglish(message, texts) });
}

/** Marks English-only text as a part of a page in any language. */
function inEnglish(text: string, { locale }: Texts): Html {
  return locale === 'en' ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`;
}

/**
 * The last page of a login, which redirects by itself. Because of `form-action 'self'`, browsers refuse to redirect a
 * form to another origin.
 */
export function redirectView(to: URL, texts: Texts): Html {
  const head = html`<meta http-equiv="refresh" content="0;url=${String(to)}" />`;
  return shell(
    { look: { texts }, title: texts.text('leave.title'), head },
    html`<p>${texts.html('leave.back', { host: hostOf(to), link: linkTo(to) })}</p>`,
  );
}

/** The page that redirects by itself to an identity provider. */
export function providerRedirectView(to: URL, texts: Texts): Html {
  const head = html`<meta http-equiv="refresh" content="0;url=${String(to)}" />`;
  return shell(
    { look: { texts }, title: texts.text('leave.title'), head },
    html`<p>${texts.html('leave.provider', { host: hostOf(to), link: linkTo(to) })}</p>`,
  );
}

/** The page was open for too long: the login starts again. */
export function tooOldView(page: Carried): Html {
  const { texts } = page.look;
  return shell(
    { look: page.look, title: texts.text('too_old.title'), lead: texts.text('too_old.lead') },
    form(page, button('restart', texts.text('too_old.again'), { isFocused: true })),
  );
}

const SUBMIT = script('document.forms[0].submit()');

/** The page of the response mode `form_post`. A script submits the form; without scripts, a button does. */
export function formPostView(to: URL, parameters: ReadonlyMap<string, string>, texts: Texts): Html {
  return shell(
    { look: { texts }, title: texts.text('leave.title') },
    html`${formTo(to, parameters, texts)} ${SUBMIT}`,
  );
}

function formTo(to: URL, parameters: ReadonlyMap<string, string>, texts: Texts): Html {
  const fields = [...parameters].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${String(to)}">
    ${fields}<button id="leave">${texts.html('leave.continue', { host: hostOf(to) })}</button>
  </form>`;
}

interface StoppedPage {
  readonly to: URL;
  /** The fields of the response mode `form_post`; undefined if they are in the URL. */
  readonly fields?: ReadonlyMap<string, string>;
  /** For the developers of the application. */
  readonly detail: string;
  readonly texts: Texts;
}

/** An error of an application that the user has never authorized: the page does not redirect by itself. */
export function stoppedView({ to, fields, detail, texts }: StoppedPage): Html {
  const text = texts.html('leave.continue', { host: hostOf(to) });
  return shell(
    { look: { texts }, title: texts.text('stopped.title') },
    html`<p>${texts.text('stopped.lead')}</p>
      <p class="warn" id="unverified">${texts.html('stopped.host', { host: hostOf(to) })}</p>
      ${fields ? formTo(to, fields, texts) : html`<p><a id="leave" href="${String(to)}" class="button">${text}</a></p>`}
      ${forDevelopers(detail, texts)}`,
  );
}

interface StartAgainPage {
  readonly to: URL;
  /** Whether an administrator created the application, or the user has authorized it at this address. */
  readonly isVetted: boolean;
  /** For the developers of the application. */
  readonly detail: string;
  readonly texts: Texts;
}

/** The error page of a request without a redirect URI, with a link to the page where the application starts a login. */
export function startAgainView({ to, isVetted, detail, texts }: StartAgainPage): Html {
  const host = hostOf(to);
  return shell(
    { look: { texts }, title: texts.text('start_again.title') },
    html`<p>${texts.text('start_again.lead')}</p>
      ${isVetted ? '' : html`<p class="warn" id="unverified">${texts.html('stopped.host', { host })}</p>`}
      <p>
        <a id="leave" href="${String(to)}" class="button"
          >${texts.html('leave.continue', { host })}</a
        >
      </p>
      ${forDevelopers(detail, texts)}`,
  );
}

function linkTo(to: URL) {
  return { id: 'leave', href: String(to) };
}

/** The destination as shown to users: the host, or the scheme of an app, which cannot be mistaken for a host. */
export function hostOf({ host, protocol }: URL): string {
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`;
}
