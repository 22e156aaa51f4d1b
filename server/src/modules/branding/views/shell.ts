import { TEXT_LOCALES } from '@keywright/contract/locale';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { LOOK } from '../../../platform/http/pages/look.ts';
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
