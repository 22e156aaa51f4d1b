import type { TenantId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import type { TenantMessaging } from '@keywright/contract/records/tenant';
import { showAccount } from '@keywright/contract/routes/account';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { sha256, unseal } from '../../../platform/crypto/sealed.ts';
import type { MailServer } from '../../../platform/mail/mail.ts';
import { type Reason, reasonText } from '../../../platform/coded-reason.ts';
import type { FallbackMail } from '../../../platform/settings.ts';
import { messagingPlace } from '../../../tenancy/tenant.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { logoAt } from '../../branding/brand/index.ts';
import { record } from '../journal/index.ts';
import type { MailBrand } from './mail-layout.ts';
import {
  destinationPlace,
  type EmailSettings,
  type MessageRow,
  throughPlace,
  type Values,
} from './message.ts';
import { sealSuppression } from './message-log.ts';
import type { NewSuppression } from './message-log-store.ts';
import {
  invitationLinkOf,
  invitationPageOf,
  invitationTokenOf,
  isInvitationId,
  isUndoId,
  linkOf,
  messageSecrets,
  pageLinkOf,
  undoLinkOf,
  undoPageOf,
  undoTokenOf,
} from './message-secrets.ts';
import type { Sender, SenderOfMessage } from './message-store.ts';

const MINUTE_MS = 60_000;
const LINKLESS: readonly MessageKind[] = ['verification', 'second_factor'];
const TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/** The decrypted and derived parts of a message. */
export interface Opened {
  readonly to: string;
  readonly values: Values;
  readonly brand: MailBrand;
  /** Undefined if there is no email server, or the message is not an email. */
  readonly route: MailRoute | undefined;
  /** The route of a text message, likewise. */
  readonly smsRoute: SmsRoute | undefined;
  /** The page where users enter codes. */
  readonly page: string;
  /** Stored if the mailbox does not exist. */
  readonly bounce: NewSuppression;
}

/** What is needed to open the messages of any tenant. */
interface Installation {
  readonly masterKeys: MasterKeys;
  /** For tenants without an email server. */
  readonly fallback: FallbackMail | undefined;
  readonly baseUrl: string;
  readonly now: Date;
}

/** Decrypts a message, and derives its secrets. */
export function openMessage(
  message: MessageRow,
  { sender, dataKey: wrapped }: SenderOfMessage,
  { masterKeys, fallback, baseUrl, now }: Installation,
): Opened {
  const { tenant_id: tenantId, id, challenge_id: challengeId, kind } = message;
  const { branding, config } = sender;
  const issuer = sender.issuer ?? issuerOf(tenantId, baseUrl);
  const page = message.to_page ? issuer : config.magic_link_url;
  const dataKey = masterKeys.unwrap(tenantId, wrapped);
  try {
    const to = unseal(dataKey, message.destination, destinationPlace(tenantId, id)).toString();
    const through =
      message.through && unseal(dataKey, message.through, throughPlace(tenantId, id)).toString();
    const leftMs = message.expires_at.getTime() - now.getTime();
    const place = { page, issuer, isHosted: message.to_page };
    const brand = brandOf(sender, issuer);
    const values = {
      company: brand.name,
      support_email: branding.support_email,
      identifier: to,
      account_url: accountUrlOf(issuer),
      ...message.vars,
      ...(challengeId !== null && secretsOf(dataKey, { id: challengeId, kind }, place)),
      minutes: String(Math.max(1, Math.round(leftMs / MINUTE_MS))),
    };
    return {
      to,
      values,
      brand,
      ...(message.channel === 'sms'
        ? { route: undefined, smsRoute: smsRouteOf(tenantId, sender.messaging, dataKey) }
        : {
            route: mailRouteOf(tenantId, senderOf(sender, through), fallback, dataKey),
            smsRoute: undefined,
          }),
      page: page ?? issuer,
      bounce: sealSuppression(dataKey, tenantId, to, 'bounce'),
    };
  } finally {
    dataKey.fill(0);
  }
}

/** The page where users review how they sign in. */
export function accountUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}${showAccount.path}?section=security`;
}

/** The branding of a tenant's emails. */
export function brandOf({ name, branding, logos }: Sender, issuer: string): MailBrand {
  const stored = logos.map(({ kind, digest }) => ({ kind, digest: Buffer.from(digest, 'hex') }));
  return {
    name: branding.company_name ?? name,
    branding,
    logo: logoAt(issuer.replace(/\/$/, ''), branding, stored),
  };
}

/** @param through email settings that replace those of the tenant, as JSON */
function senderOf(sender: Sender, through: string | null): Sender {
  if (through === null) return sender;
  const email = JSON.parse(through) as EmailSettings;
  return { ...sender, messaging: { ...sender.messaging, email } };
}

interface Place {
  readonly page: string | null | undefined;
  /** The URL of the service's pages. */
  readonly issuer: string;
  /** Whether the link leads to a page of the service. */
  readonly isHosted: boolean;
}

function secretsOf(
  dataKey: Buffer,
  challenge: { readonly id: string; readonly kind: MessageKind },
  { page, issuer, isHosted }: Place,
): Values {
  if (isUndoId(challenge.id)) {
    const token = undoTokenOf(dataKey, challenge.id);
    return { link: isHosted || !page ? undoPageOf(issuer, token) : undoLinkOf(page, token) };
  }
  if (isInvitationId(challenge.id)) {
    const token = invitationTokenOf(dataKey, challenge.id);
    return { link: page ? invitationLinkOf(page, token) : invitationPageOf(issuer, token) };
  }
  const { code, linkToken } = messageSecrets(dataKey, challenge);
  // A verification belongs to its session, and a second factor to its flow: a link would lead nowhere.
  const hasLink = page && !LINKLESS.includes(challenge.kind);
  const link = isHosted ? pageLinkOf : linkOf;
  return { code, link: hasLink ? link(page, linkToken) : undefined };
}

/** The server that sends the emails of a tenant, and their sender. */
export interface MailRoute {
  /** Identifies the server and the version of its settings. */
  readonly key: string;
  readonly server: () => MailServer;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | undefined;
}

/** The tenant's server, or the one for tenants without a server. @returns undefined if there is neither */
function mailRouteOf(
  tenantId: TenantId,
  { name, branding, messaging }: Sender,
  fallback: FallbackMail | undefined,
  dataKey: Buffer,
): MailRoute | undefined {
  const { email = {} } = messaging;
  const senderName = email.from_name ?? branding.company_name ?? name;
  const { smtp_host: host, from_address: address, smtp_port: port = SUBMISSION_PORT } = email;
  if (host !== undefined && address !== undefined) {
    const { smtp_username: username, smtp_password: sealed } = email;
    // Decrypted now, because the data key is wiped before the connection to the server is opened.
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

/** The provider that sends the text messages of a tenant, and the tenant's account there. */
export interface SmsRoute {
  /** Identifies the provider and the version of its settings. */
  readonly key: string;
  readonly tenantId: TenantId;
  readonly provider: NonNullable<NonNullable<TenantMessaging['sms']>['provider']>;
  /** Undefined for the provider's default URL. */
  readonly url: string | undefined;
  readonly account: string;
  readonly from: string;
  /** The token of the account, or the key that signs requests. */
  readonly secret: string;
}

/** @returns undefined if a setting that the provider needs is missing */
function smsRouteOf(
  tenantId: TenantId,
  { sms = {} }: TenantMessaging,
  dataKey: Buffer,
): SmsRoute | undefined {
  const { provider, url, account_sid: account = '', from = '' } = sms;
  const field = provider === 'webhook' ? 'secret' : 'auth_token';
  const sealed = sms[field];
  if (provider === undefined || sealed === undefined) return undefined;
  const place = messagingPlace(tenantId, 'sms', field);
  return {
    key: `${tenantId} ${sha256(JSON.stringify(sms)).toString('base64url')}`,
    tenantId,
    provider,
    url,
    account,
    from,
    secret: unseal(dataKey, Buffer.from(sealed, 'base64'), place).toString(),
  };
}

const REFUSALS_IN_A_ROW = 5;
const PAUSE_MS = 5 * 60_000;
const MOST_KEYS = 10_000;

/** Pauses servers that refuse the login or TLS: further attempts would lock the account there. */
export class ServerBreaker {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #states = new Cache<string, { readonly refusals: number; readonly pausedUntil: number }>(
    MOST_KEYS,
  );

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  /** @param key the key of a route */
  isPaused(key: string): boolean {
    return (this.#states.get(key)?.pausedUntil ?? 0) > this.#clock.now().getTime();
  }

  succeeded(key: string): void {
    this.#states.delete(key);
  }

  /** Counts a refusal, and records the one that pauses the server. */
  async refused(key: string, tenantId: TenantId, cause: Reason): Promise<void> {
    const refusals = (this.#states.get(key)?.refusals ?? 0) + 1;
    const isPaused = refusals >= REFUSALS_IN_A_ROW;
    const pausedUntil = isPaused ? this.#clock.now().getTime() + PAUSE_MS : 0;
    this.#states.set(key, { refusals, pausedUntil });
    if (refusals !== REFUSALS_IN_A_ROW) return;
    const reason = reasonText(cause);
    await this.#gate.into(tenantId).transaction((tx) =>
      record(
        tx,
        { kind: 'system', name: 'messages' },
        {
          action: 'messaging.failing',
          target: { kind: 'tenant', id: tenantId },
          outcome: 'failure',
          details: { reason },
          events: [{ type: 'messaging.failing', data: { reason } }],
        },
      ),
    );
  }
}
