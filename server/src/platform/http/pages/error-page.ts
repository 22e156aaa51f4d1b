import { type AppError, ERRORS, errorBody } from '@keywright/contract/errors';
import { type Html, html, style } from './html.ts';

const STYLE = style(`
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding-inline: 1rem; }
footer { font-size: .85rem; opacity: .75; }
`);

/** What went wrong, for humans, with the code and the request id for support. */
export function errorPage(error: AppError, requestId: string): Html {
  const { status } = ERRORS[error.code];
  const { error: title, detail } = errorBody(error.code, error.options.detail);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${STYLE}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p role="alert">${detail}</p>
        </main>
        <footer>${status} <code>${error.code}</code> · <code>${requestId}</code></footer>
      </body>
    </html>`;
}
