import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import type { ShownMessage } from './development.ts';

const STYLE =
  style(`body{font-family:system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}
article{border:1px solid #d1d5db;border-radius:.5em;padding:1em;margin:1em 0}
h2{font-size:1.1em;margin:0}pre{white-space:pre-wrap;overflow-wrap:anywhere}`);

/** The messages that were not sent, the newest first. */
export function messagesPage(shown: readonly ShownMessage[]): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Messages</title>
        ${STYLE}
      </head>
      <body>
        <h1>Messages</h1>
        <p>
          No mail server, or no provider of text messages, is configured, so messages are shown
          here, on this machine only. In production this page does not exist.
        </p>
        ${shown.length === 0 ? html`<p>None yet. Reload after a login.</p>` : undefined}
        ${shown.map(articleOf)}
      </body>
    </html>`;
}

function articleOf({ tenantId, kind, to, subject, text, at }: ShownMessage): Html {
  return html`<article>
    <h2>${subject}</h2>
    <p>To ${to}, ${tenantId}, ${kind}, ${at.toISOString()}</p>
    <pre>${text.split(/(https?:\/\/\S+)/).map(linkOr)}</pre>
  </article>`;
}

function linkOr(part: string): Html {
  return /^https?:/.test(part) ? html`<a href="${part}">${part}</a>` : html`${part}`;
}
