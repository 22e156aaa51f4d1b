import { type Html, html } from '../../../platform/http/pages/html.ts';
import { LOOK } from '../../../platform/http/pages/look.ts';

interface Frame {
  readonly title: string;
  /** Below the heading. */
  readonly lead?: Html | string | undefined;
  /** What went wrong with the form. */
  readonly problem?: string | undefined;
  /** In the head, besides. */
  readonly head?: Html;
}

/** A page of the service, around what it is about. */
export function shell({ title, lead, problem, head }: Frame, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${LOOK}${head}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${lead === undefined ? undefined : html`<p class="lead">${lead}</p>`}
          ${problem === undefined ? undefined : html`<p role="alert" id="problem">${problem}</p>`}
          ${body}
        </main>
      </body>
    </html>`;
}
