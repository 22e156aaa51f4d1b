import { TEXT_LOCALES } from '@keywright/contract/locale';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { LOOK } from '../../../platform/http/pages/look.ts';
import { inEnglish } from '../../../platform/texts/fallback.ts';
import { LOCALE_NAMES } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Brand, Look } from '../brand/index.ts';

interface Frame {
  /** How the page looks; without a brand, as those of nobody. */
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  readonly title: string;
  /** The title, where others than the tenant write a part of it. */
  readonly heading?: Html;
  /** Below the heading. */
  readonly lead?: Html | string | undefined;
  /** What went wrong with the form. */
  readonly problem?: Html | string | undefined;
  /** In the head, besides. */
  readonly head?: Html;
}

/** A page of the service, around what it is about. */
export function shell({ look, title, heading, lead, problem, head }: Frame, body: Html): Html {
  const { brand, texts } = look;
  return html`<!doctype html>
    <html lang="${texts.locale}" dir="${texts.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${brand ? html`<link rel="stylesheet" href="${brand.stylesheet}" />` : LOOK}${brand?.style}${head}
      </head>
      <body ${brand?.layout === 'side' ? html`class="side"` : undefined}>
        <main>
          ${brand && signOf(brand)}
          <h1>${heading ?? title}</h1>
          ${lead === undefined ? undefined : html`<p class="lead">${lead}</p>`}
          ${problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`}
          ${body}
        </main>
        ${footer(look)}
      </body>
    </html>`;
}

/** Whose page it is: their logo, or their name. */
function signOf({ name, logo }: Brand): Html {
  if (!logo) return html`<p class="brand">${name}</p>`;
  const image = html`<img src="${logo.light}" alt="${name}" height="40" />`;
  if (logo.dark === logo.light) return html`<p class="brand">${image}</p>`;
  return html`<p class="brand">
    <picture
      ><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)" />
      ${image}</picture
    >
  </p>`;
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

/** Each in its own words. A form, so that what it sends is on the page once. */
function languages(texts: Texts, { action, fields }: NonNullable<Look['here']>): Html {
  const others = TEXT_LOCALES.filter((one) => one !== texts.locale);
  return html`<details>
    <summary>${texts.text('footer.language')}</summary>
    <form action="${action}">
      ${Object.entries(fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}${others.map(
        (one) =>
          html`<button class="link" name="locale" value="${one}" lang="${one}">
            ${LOCALE_NAMES[one]}
          </button> `,
      )}
    </form>
  </details>`;
}

/** What every form of a page contains: the request in progress, and the token against forgery. */
interface Sent {
  readonly request: string;
  readonly token: Html;
}

export interface Carried extends Sent {
  /** How the page looks. */
  readonly look: Look;
}

/** A form of a page, which is sent back to the page. */
export function form(carried: Sent, ...parts: readonly (Html | undefined)[]): Html {
  return namedForm(undefined, carried, ...parts);
}

/** One that buttons outside of it can belong to: what a form carries is most of its bytes. */
export function namedForm(
  name: string | undefined,
  { request, token }: Sent,
  ...parts: readonly (Html | undefined)[]
): Html {
  const id = name === undefined ? undefined : html` id="${name}"`;
  return html`<form method="post" action="continue" ${id}>
    ${token}<input type="hidden" name="request" value="${request}" />${parts}
  </form>`;
}

interface ButtonLook {
  readonly id?: string;
  /** `second`: beside another one; `link`: looks like one. */
  readonly look?: 'second' | 'link' | undefined;
  readonly isFocused?: boolean;
  /** The form that it belongs to, where that is not the one around it. */
  readonly of?: string | undefined;
}

/** A button that says what its form does. */
export function button(
  action: string,
  text: Html | string,
  { id = action, look, isFocused, of }: ButtonLook = {},
): Html {
  const kind = look === undefined ? undefined : html` class="${look}"`;
  const focus = isFocused ? html` autofocus` : undefined;
  const owner = of === undefined ? undefined : html` form="${of}"`;
  return html`<button name="action" value="${action}" id="${id}" ${kind}${focus}${owner}>
    ${text}
  </button>`;
}

interface Field {
  readonly name: 'identifier' | 'secret' | 'code';
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly isFocused?: boolean;
  /** Only digits are typed. */
  readonly isNumeric?: boolean;
  readonly hint?: Html | undefined;
}

export function field(given: Field): Html {
  const { name, label, type = 'text', autocomplete, value, isFocused, isNumeric, hint } = given;
  const hintId = `${name}-hint`;
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      ${value === undefined ? undefined : html`value="${value}"`}
      ${isNumeric ? html`inputmode="numeric"` : undefined}
      ${isFocused ? html`autofocus` : undefined}
      ${hint === undefined ? undefined : html`aria-describedby="${hintId}"`}
      autocapitalize="none"
      spellcheck="false"
    />
    ${hint === undefined ? undefined : html`<p class="hint" id="${hintId}">${hint}</p>`}`;
}

/** A way to another page, for those who did not mean this one. */
export function aside(carried: Sent, action: string, text: string): Html {
  return form(carried, button(action, text, { look: 'link' }));
}

/** What the API says of addresses and passwords, and the words of pages for it. */
const WORDS: readonly (readonly [
  said: RegExp,
  words: (texts: Texts, part: string) => Html | string,
])[] = [
  [
    /^must be an e-mail address, or a phone number such as (\+\d+)$/,
    (texts, example) => texts.html('typed.address', { example }),
  ],
  [/^must be one of your own addresses$/, (texts) => texts.text('typed.own_address')],
  [
    /^has more than (\d+) characters$/,
    (texts, count) => texts.text('typed.too_long', { count: Number(count) }),
  ],
  [
    /^needs at least (\d+) characters$/,
    (texts, count) => texts.text('typed.too_short', { count: Number(count) }),
  ],
  [/^needs a character that is neither /, (texts) => texts.text('typed.special')],
  [/^is little more than a name of the user /, (texts) => texts.text('typed.name')],
  [/^is one of the most common passwords$/, (texts) => texts.text('typed.common')],
  [/^is known from a breach /, (texts) => texts.text('typed.breached')],
];

/** @param message of the first error of a VALIDATION_FAILED; one without words of its own stays in English */
export function typedProblem(message: string, texts: Texts): Html | string {
  for (const [said, words] of WORDS) {
    const match = said.exec(message);
    if (match) return words(texts, match[1] ?? '');
  }
  return texts.html('problem.typed', { problem: inEnglish(message, texts) });
}
