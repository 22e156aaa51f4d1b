import { type AppError, ERRORS, errorBody } from '@keywright/contract/errors';
import { ERROR_WORDS } from './error-words.ts';
import { type Html, html } from './html.ts';
import { LOOK } from './look.ts';

/** What went wrong, for people; and for developers, with the code and the request id. */
export function errorPage({ code, options }: AppError, requestId: string): Html {
  const { status } = ERRORS[code];
  const { error, detail } = errorBody(code, options.detail);
  const { title, text } = ERROR_WORDS[code] ?? { title: error, text: detail };
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${LOOK}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p role="alert">${text}${waitOf(options.retryAfterSeconds)}</p>
          ${options.detail === undefined || options.detail === text ? undefined : html`<p class="hint">${options.detail}</p>`}
        </main>
        <footer>${status} <code>${code}</code> &middot; <code>${requestId}</code></footer>
      </body>
    </html>`;
}

function waitOf(seconds: number | undefined): string {
  if (seconds === undefined || seconds < 60) return '';
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? ' Try again in a minute.' : ` Try again in ${minutes} minutes.`;
}
