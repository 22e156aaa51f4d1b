import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificate.ts';

/** An email that the sink accepted. */
export interface SunkMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As received. */
  readonly raw: string;
  readonly parsed: Email;
  readonly atMs: number;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** The sink's rejection of a recipient or a message. Undefined accepts it. */
interface Refusal {
  readonly status: number;
  readonly text: string;
}

export interface MailSinkOptions {
  /** Whether to use implicit TLS. Default: STARTTLS if there is a certificate. */
  readonly isImplicit?: boolean;
  /** Without it, TLS is not available. */
  readonly certificate?: Certificate;
  readonly port?: number;
  /** Users and their passwords; default: no login. */
  readonly users?: Readonly<Record<string, string>>;
  readonly onRecipient?: (address: string) => Refusal | undefined;
  /** Called with each email before it is accepted. */
  readonly onMail?: (to: string) => Promise<Refusal | undefined> | Refusal | undefined;
  /** Called when the data of an email starts. */
  readonly onData?: (to: string) => void;
  /** Breaks the connection in the middle of the data. */
  readonly breaksData?: () => boolean;
  /** Whether to store emails; default true. */
  readonly keeps?: boolean;
}

/** An SMTP server on loopback. */
export interface MailSink {
  readonly port: number;
  readonly mails: readonly SunkMail[];
  /** Connections made so far. */
  readonly connections: number;
  /** Number of open connections. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

export async function startMailSink(options: MailSinkOptions = {}): Promise<MailSink> {
  const mails: SunkMail[] = [];
  let connections = 0;
  const { certificate, users } = options;
  const server = new SMTPServer({
    secure: options.isImplicit ?? false,
    ...certificate,
    authOptional: users === undefined,
    disabledCommands: [
      ...(users === undefined ? ['AUTH'] : []),
      ...(certificate === undefined ? ['STARTTLS'] : []),
    ],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username = '', password }, _session, done) {
      if (users?.[username] === password) return done(null, { user: username });
      return done(refused({ status: 535, text: `5.7.8 No such login: ${password ?? ''}` }));
    },
    onRcptTo({ address }, _session, done) {
      done(refused(options.onRecipient?.(address)));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      options.onData?.(session.envelope.rcptTo[0]?.address ?? '');
      if (options.breaksData?.()) {
        stream.once('data', () => session.id && connectionOf(server, session.id)?.destroy());
      }
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const raw = Buffer.concat(chunks).toString('utf8');
        void (async () => {
          const refusal = await options.onMail?.(to[0] ?? '');
          if (!refusal && options.keeps !== false) {
            const parsed = await PostalMime.parse(raw);
            const { secure: isSecure, user } = session;
            const atMs = performance.now();
            mails.push({ from, to, raw, parsed, atMs, isSecure, user: user as string | undefined });
          }
          done(refused(refusal));
        })();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(options.port ?? 0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    get connections() {
      return connections;
    },
    open: () => server.connections.size,
    close: () =>
      new Promise((resolve) => {
        for (const connection of server.connections) connection._socket?.destroy();
        server.close(() => resolve());
      }),
  };
}

function connectionOf(server: SMTPServer, id: string) {
  return [...server.connections].find((connection) => connection.id === id)?._socket;
}

function refused(refusal: Refusal | undefined): Error | null {
  return refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.status }) : null;
}
