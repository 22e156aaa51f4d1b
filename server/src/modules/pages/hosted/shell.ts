import { type Html, html } from '../../../platform/http/pages/html.ts';
import { LOOK } from '../../../platform/http/pages/look.ts';
import type { Brand, Look } from '../brand/index.ts';

interface Frame {
  /** How the page looks; default: as those of nobody. */
  readonly look?: Look;
  readonly title: string;
  /** Below the heading. */
  readonly lead?: Html | string | undefined;
  /** What went wrong with the form. */
  readonly problem?: string | undefined;
  /** In the head, besides. */
  readonly head?: Html;
}

/** A page of the service, around what it is about. */
export function shell({ look, title, lead, problem, head }: Frame, body: Html): Html {
  const brand = look?.brand;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${LOOK}${brand?.style}${head}
      </head>
      <body ${brand?.layout === 'side' ? html`class="side"` : undefined}>
        <main>
          ${brand && signOf(brand)}
          <h1>${title}</h1>
          ${lead === undefined ? undefined : html`<p class="lead">${lead}</p>`}
          ${problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`}
          ${body}
        </main>
        ${brand && footer(brand)}
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

function footer({ terms, privacy, support }: Brand): Html | undefined {
  const links = [
    terms && html`<a href="${terms}">Terms</a>`,
    privacy && html`<a href="${privacy}">Privacy</a>`,
    support && html`<a href="mailto:${support}">${support}</a>`,
  ].filter((link) => link !== undefined);
  return links.length === 0 ? undefined : html`<footer>${links}</footer>`;
}
