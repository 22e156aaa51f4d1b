import type { TenantId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import { isWithin } from '../../../platform/cidr.ts';
import { isLoopback, LOOPBACK } from '../../../platform/development.ts';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import type { Log } from '../../../platform/log.ts';

const MOST_SHOWN = 100;

/** A message that was shown instead of being sent. */
export interface ShownMessage {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: Date;
}

/** Shows messages in the log and on a page, in place of a mail server. */
export interface DevelopmentMailbox {
  readonly show: (message: ShownMessage) => void;
  /** The newest first. */
  readonly shown: () => readonly ShownMessage[];
}

export function createDevelopmentMailbox(log: Log): DevelopmentMailbox {
  let shown: readonly ShownMessage[] = [];
  return {
    show(message) {
      shown = [message, ...shown.filter(({ id }) => id !== message.id)].slice(0, MOST_SHOWN);
      const { to, subject, text } = message;
      log.info({ to, subject, text }, 'message not sent: no mail server or provider is configured');
    },
    shown: () => shown,
  };
}

/** Who asks for the page. */
interface Asking {
  readonly address: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from this machine, and not through a proxy on it. The host that it names is checked, too: a
 * page of a site whose name resolves to 127.0.0.1 would name its own (DNS rebinding).
 */
export function isLocal({ address, headers }: Asking): boolean {
  const { host } = headers;
  const url = typeof host === 'string' ? URL.parse(`http://${host}`) : null;
  return (
    isWithin(LOOPBACK(), address) &&
    url !== null &&
    isLoopback(url.hostname) &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

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
