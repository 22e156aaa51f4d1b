/** How a server is reached and logged in to. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the beginning; `starttls`: required; `none`: only where the egress allows it. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Chosen by the operator, not by a tenant. */
  readonly isOperators: boolean;
}

export interface Mail {
  /** `<id@domain>`: the same each time that the mail is sent. */
  readonly messageId: string;
  readonly date: Date;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | undefined;
  /** One address, parsed: never a list. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * What became of a mail:
 * - `accepted`: the server took responsibility for it;
 * - `rejected`: never, by what the server said of this mail; `isUnknown`: there is no such mailbox (5.1.x);
 * - `deferred`: not now, by what the server said of this mail;
 * - `unreachable`: there was no connection, or it broke;
 * - `refused`: the settings are wrong: the login, the certificate, an address that is not allowed.
 */
export type MailOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'rejected'; readonly reason: string; readonly isUnknown: boolean }
  | { readonly outcome: 'deferred' | 'unreachable' | 'refused'; readonly reason: string };
