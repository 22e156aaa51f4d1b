import { type AppError, ERRORS, type ErrorCode } from '@keywright/contract/errors';
import { SHORT_NAME } from '@keywright/contract/status-names';
import type { Texts } from '../../texts/texts.ts';
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
          <p>${text}</p>
          ${detail === undefined ? undefined : forDevelopers(detail, texts)}
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

/** What only the developers of an application understand, folded away. */
export function forDevelopers(detail: string, texts: Texts): Html {
  return html`<details>
    <summary>${texts.text('error.developers')}</summary>
    <p class="hint" ${ENGLISH}>${detail}</p>
  </details>`;
}

function isInWords(code: ErrorCode): code is keyof typeof ERROR_WORDS {
  return Object.hasOwn(ERROR_WORDS, code);
}

function wordsOf(code: keyof typeof ERROR_WORDS, texts: Texts) {
  const key = ERROR_WORDS[code];
  return { title: texts.text(`${key}.title`), text: texts.text(key) };
}

function inEnglish(code: ErrorCode, message: string | undefined) {
  const { status, detail } = ERRORS[code];
  return { title: SHORT_NAME[status], text: message ?? detail };
}

function waitOf(seconds: number | undefined, texts: Texts): Html | undefined {
  if (seconds === undefined || seconds < 60) return undefined;
  const minutes = Math.ceil(seconds / 60);
  return html`<footer>${texts.text('error.wait', { minutes })}</footer>`;
}

/** The texts of errors that users see without having made a mistake. Developers find the error code below. */
const ERROR_WORDS = {
  NOT_FOUND: 'error.not_found',
  TENANT_NOT_FOUND: 'error.tenant_not_found',
  TENANT_INACTIVE: 'error.tenant_inactive',
  FORM_TOO_OLD: 'error.form_too_old',
  COOKIE_REFUSED: 'error.cookie_refused',
  ORIGIN_REFUSED: 'error.origin_refused',
  REQUEST_INVALID: 'error.request_invalid',
  OAUTH_OFF: 'error.oauth_off',
  ISSUER_ELSEWHERE: 'error.issuer_elsewhere',
  PROVIDER_REFUSED: 'error.provider_refused',
  VALIDATION_FAILED: 'error.address_incomplete',
  REQUEST_MALFORMED: 'error.address_incomplete',
  UNAVAILABLE: 'error.unavailable',
  INTERNAL: 'error.internal',
} as const satisfies Partial<Record<ErrorCode, string>>;
