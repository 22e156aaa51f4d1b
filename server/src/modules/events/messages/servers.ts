import type { TenantId } from '@keywright/contract/ids';
import { sha256, unseal } from '../../../platform/crypto/sealed.ts';
import type { MailServer } from '../../../platform/mail/mail.ts';
import type { FallbackMail } from '../../../platform/settings.ts';
import { messagingPlace } from '../../../tenancy/channels.ts';
import type { Sender } from './store.ts';

/** The server that the mails of a tenant go through, and their sender. */
export interface Route {
  /** Names the server and the version of its settings. */
  readonly key: string;
  readonly server: () => MailServer;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | undefined;
}

const TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/** Its own server, or the one for tenants without one. @returns undefined when there is neither */
export function routeOf(
  tenantId: TenantId,
  { name, branding, messaging }: Sender,
  fallback: FallbackMail | undefined,
  dataKey: Buffer,
): Route | undefined {
  const { email = {} } = messaging;
  const senderName = email.from_name ?? branding.company_name ?? name;
  const { smtp_host: host, from_address: address, smtp_port: port = SUBMISSION_PORT } = email;
  if (host !== undefined && address !== undefined) {
    const { smtp_username: username, smtp_password: sealed } = email;
    // The data key is wiped before the server is asked for.
    const place = messagingPlace(tenantId, 'email', 'smtp_password');
    const password =
      sealed === undefined
        ? undefined
        : unseal(dataKey, Buffer.from(sealed, 'base64'), place).toString();
    return {
      key: `${tenantId} ${sha256(JSON.stringify(email)).toString('base64url')}`,
      server: () => ({
        host,
        port,
        security: email.smtp_security ?? (port === TLS_PORT ? 'tls' : 'starttls'),
        username,
        password,
        isOperators: false,
      }),
      from: { name: senderName, address },
      replyTo: email.reply_to,
    };
  }
  if (!fallback) return undefined;
  return {
    key: 'operator',
    server: () => fallback.server,
    from: { name: senderName, address: fallback.from },
    replyTo: email.reply_to ?? branding.support_email,
  };
}
