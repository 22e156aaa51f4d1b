import { route } from '@keywright/contract/route';
import { Type } from 'typebox';
import { Page } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
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
  /** An email as a page; undefined for a text message. */
  readonly page: Html | undefined;
  readonly at: Date;
}

/** Shows messages in the log and on a page, instead of sending them through an email server. */
export class DevelopmentMailbox {
  readonly #log: Log;
  #shown: readonly ShownMessage[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  show(message: ShownMessage): void {
    const others = this.#shown.filter(({ id }) => id !== message.id);
    this.#shown = [message, ...others].slice(0, MOST_SHOWN);
    const { to, subject, text } = message;
    this.#log.info(
      { to, subject, text },
      'message not sent: no mail server or provider is configured',
    );
  }

  /** The newest first. */
  get shown(): readonly ShownMessage[] {
    return this.#shown;
  }
}

/** A request for the page. */
interface PageRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from this machine, and not through a proxy on it. Its Host is also checked, because a site
 * with a name that resolves to 127.0.0.1 would send that name (DNS rebinding).
 */
function isLocal({ address, headers }: PageRequest): boolean {
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
function messagesPage(shown: readonly ShownMessage[]): Html {
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
          No mail server or SMS provider is configured for these messages, so they are shown here,
          on this machine only. This page does not exist in production.
        </p>
        ${shown.length === 0 ? html`<p>None yet. Reload after a login.</p>` : undefined}
        ${shown.map(articleOf)}
      </body>
    </html>`;
}

function articleOf({ id, tenantId, kind, to, subject, text, page, at }: ShownMessage): Html {
  return html`<article>
    <h2>${subject}</h2>
    <p>To ${to}, ${tenantId}, ${kind}, ${at.toISOString()}</p>
    ${page && html`<p><a href="?id=${id}">Show the email</a></p>`}
    <pre>${text.split(/(https?:\/\/\S+)/).map(linkOr)}</pre>
  </article>`;
}

function linkOr(part: string): Html {
  return /^https?:/.test(part) ? html`<a href="${part}">${part}</a>` : html`${part}`;
}

/** This route is not part of the contract, and does not exist in production. */
const shownMessages = route({
  id: 'service.messages',
  method: 'GET',
  path: '/dev/messages',
  access: 'open',
  errorForm: 'page',
  summary: 'Messages that were not sent',
  query: Type.Object({ id: Type.Optional(Type.String({ maxLength: 64 })) }),
  ok: { kind: 'html', status: 200, policy: { styles: true } },
  errors: ['ROUTE_NOT_FOUND'],
});

export function bindMailbox(router: Router, mailbox: DevelopmentMailbox): void {
  router.add(shownMessages, (call, fail) => {
    if (!isLocal(call)) return fail('ROUTE_NOT_FOUND');
    const { id } = call.query;
    if (id === undefined) return new Page(messagesPage(mailbox.shown));
    return new Page(
      mailbox.shown.find((shown) => shown.id === id)?.page ?? fail('ROUTE_NOT_FOUND'),
    );
  });
}
