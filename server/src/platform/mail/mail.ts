import type { Reason } from '../coded-reason.ts';

/** The address, security and login of a mail server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the start; `starttls`: required; `none`: only where the egress allows it. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Chosen by the operator, not by a tenant. */
  readonly isOperators: boolean;
}

export interface Mail {
  /** `<id@domain>`: the same each time that the email is sent. */
  readonly messageId: string;
  readonly date: Date;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | undefined;
  /** One parsed address, never a list. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The result of sending an email:
 * - `accepted`: the server took responsibility for it;
 * - `rejected`: the server refused this email permanently; `isUnknown`: the mailbox does not exist (5.1.x);
 * - `deferred`: the server refused this email for now;
 * - `unreachable`: there was no connection, or it broke;
 * - `refused`: the settings are wrong: the login, the certificate, or an address that is not allowed.
 */
export type MailOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'rejected'; readonly reason: Reason; readonly isUnknown: boolean }
  | { readonly outcome: 'deferred' | 'unreachable' | 'refused'; readonly reason: Reason };
