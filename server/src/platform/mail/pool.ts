import { isIP, type Socket } from 'node:net';
import { createTransport, type SMTPPoolOptions } from 'nodemailer';
import type { Mail, MailServer } from './mail.ts';

const IDLE_MS = 20_000;
/** A connection is closed after this many emails, so that changed DNS records take effect. */
const MAILS_OF_A_CONNECTION = 100;
/** Maximum size of a server's response. */
const MAX_ANSWER_BYTES = 16 * 1024;

export interface PoolOptions {
  readonly server: MailServer;
  /** The name that the client sends to the server. */
  readonly name: string;
  readonly ca: string | undefined;
  /** Maximum number of connections. */
  readonly most: number;
  readonly connect: () => Promise<Socket>;
  /** Called when the last connection of a pool without emails has closed. */
  readonly onUnused: () => void;
}

/** The pool was closed before the email had a connection: nothing was sent. */
export class PoolClosed extends Error {}
/** The message of nodemailer's error, which has no code of its own. */
const CLOSED = 'Connection pool was closed';

/** Connections to one server, with one login. */
export interface MailPool {
  /** @throws Error of nodemailer, EgressError, or PoolClosed */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Number of emails that are being sent or wait for a connection. */
  mails(): number;
  /** Emails that already have a connection are still sent. */
  close(): void;
}

export function openPool(options: PoolOptions): MailPool {
  let mails = 0;
  const transport = createTransport(settingsOf(options));
  // Ignores errors of idle connections; errors of emails are thrown.
  transport.on('error', () => undefined);
  transport.on('clear', () => {
    if (mails === 0) options.onUnused();
  });
  return {
    async send(mail, signal) {
      mails += 1;
      try {
        await transport.sendMail({ ...messageOf(mail), signal });
      } catch (error) {
        throw error instanceof Error && error.message === CLOSED ? new PoolClosed() : error;
      } finally {
        mails -= 1;
      }
    },
    mails: () => mails,
    close: () => transport.close(),
  };
}

function settingsOf({ server, name, ca, most, connect }: PoolOptions) {
  const { host, port, security, username, password } = server;
  const settings: SMTPPoolOptions & { readonly pool: true } = {
    pool: true,
    host,
    port,
    name,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // RFC 6066 §3: an IP address is not a server name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    },
    ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
    maxConnections: most,
    maxMessages: MAILS_OF_A_CONNECTION,
    // The queue retries instead: the server may have received the email before the connection broke.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, done) => {
      connect().then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(error as Error),
      );
    },
  };
  return settings;
}

function messageOf({ messageId, date, from, to, replyTo, subject, text, html }: Mail) {
  return {
    messageId,
    date,
    from,
    // An object, since a string would be parsed as a list.
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}
