import { type AppError, type ErrorCode, ERRORS, errorBody } from '@keywright/contract/errors';
import type { Texts } from '../../texts/texts.ts';
import { ERROR_WORDS } from './error-words.ts';
import { type Html, html } from './html.ts';
import { LOOK } from './look.ts';

/** Explains an error to users, and to developers by its code and the request ID. */
export function errorPage({ code, options }: AppError, requestId: string, texts: Texts): Html {
  const { status } = ERRORS[code];
  const { title, text } = isInWords(code) ? wordsOf(code, texts) : inEnglish(code, options.detail);
  const detail = isInWords(code) && options.detail !== undefined ? options.detail : undefined;
  return html`<!doctype html>
    <html lang="${texts.locale}" dir="${texts.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${LOOK}
      </head>
      <body>
        <main ${isInWords(code) ? undefined : ENGLISH}>
          <h1>${title}</h1>
          <p role="alert">${text}</p>
          ${detail === undefined ? undefined : html`<p class="hint" ${ENGLISH}>${detail}</p>`}
        </main>
        ${waitOf(options.retryAfterSeconds, texts)}
        <footer>
          <bdi>${status} <code>${code}</code> &middot; <code>${requestId}</code></bdi>
        </footer>
      </body>
    </html>`;
}

/** Text for developers is in English on every page. */
const ENGLISH = html`lang="en" dir="ltr"`;

function isInWords(code: ErrorCode): code is keyof typeof ERROR_WORDS {
  return Object.hasOwn(ERROR_WORDS, code);
}

function wordsOf(code: keyof typeof ERROR_WORDS, texts: Texts) {
  const key = ERROR_WORDS[code];
  return { title: texts.text(`${key}.title`), text: texts.text(key) };
}

function inEnglish(code: ErrorCode, given: string | undefined) {
  const { error, detail } = errorBody(code, given);
  return { title: error, text: detail };
}

function waitOf(seconds: number | undefined, texts: Texts): Html | undefined {
  if (seconds === undefined || seconds < 60) return undefined;
  const minutes = Math.ceil(seconds / 60);
  return html`<footer>${texts.text('error.wait', { minutes })}</footer>`;
}
