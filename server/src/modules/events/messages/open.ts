import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { FallbackMail } from '../../../platform/settings.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import {
  invitationLinkOf,
  invitationPageOf,
  linkOf,
  pageLinkOf,
  undoLinkOf,
  undoPageOf,
} from './links.ts';
import {
  invitationTokenOf,
  isInvitationId,
  isUndoId,
  messageSecrets,
  undoTokenOf,
} from './secrets.ts';
import type { MessageKind } from '@keywright/contract/messages';
import { destinationPlace, type EmailSettings, type MessageRow, throughPlace } from './message.ts';
import { brandIn } from './brand.ts';
import type { MailBrand } from './layout.ts';
import type { Values } from './values.ts';
import { type Route, routeOf } from './servers.ts';
import { type SmsRoute, smsRouteOf } from './sms/route.ts';
import type { Sender, SenderOfMessage } from './store.ts';
import { sealSuppression } from './suppress.ts';
import type { NewSuppression } from './suppressions-store.ts';

export interface OpenDependencies {
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  /** For tenants without a mail server. */
  readonly fallback: FallbackMail | undefined;
  readonly baseUrl: () => string;
}

/** What of a message is encrypted or derived. */
export interface Opened {
  readonly to: string;
  readonly values: Values;
  readonly brand: MailBrand;
  /** Undefined: there is none. */
  readonly route: Route | undefined;
  /** The same for a text message. */
  readonly smsRoute: SmsRoute | undefined;
  /** On which users type codes. */
  readonly page: string;
  /** To be stored if the mailbox does not exist. */
  readonly bounce: NewSuppression;
}

const MINUTE_MS = 60_000;
const LINKLESS: readonly MessageKind[] = ['verification', 'second_factor'];

export function open(
  { masterKeys, clock, fallback, baseUrl }: OpenDependencies,
  message: MessageRow,
  { sender, dataKey: wrapped }: SenderOfMessage,
): Opened {
  const { tenant_id: tenantId, id, challenge_id: challengeId, kind } = message;
  const { branding, config } = sender;
  const issuer = sender.issuer ?? issuerOf(tenantId, baseUrl());
  const page = message.to_page ? issuer : config.magic_link_url;
  const dataKey = masterKeys.unwrap(tenantId, wrapped);
  try {
    const to = unseal(dataKey, message.destination, destinationPlace(tenantId, id)).toString();
    const through =
      message.through && unseal(dataKey, message.through, throughPlace(tenantId, id)).toString();
    const leftMs = message.expires_at.getTime() - clock.now().getTime();
    const place = { page, issuer, isOwn: message.to_page };
    const brand = brandIn(sender, issuer);
    const values = {
      company: brand.name,
      support_email: branding.support_email,
      identifier: to,
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
            route: routeOf(tenantId, senderOf(sender, through), fallback, dataKey),
            smsRoute: undefined,
          }),
      page: page ?? issuer,
      bounce: sealSuppression(dataKey, tenantId, to, 'bounce'),
    };
  } finally {
    dataKey.fill(0);
  }
}

/** @param through mail settings instead of those of the tenant, as JSON */
function senderOf(sender: Sender, through: string | null): Sender {
  if (through === null) return sender;
  const email = JSON.parse(through) as EmailSettings;
  return { ...sender, messaging: { ...sender.messaging, email } };
}

interface Place {
  readonly page: string | null | undefined;
  /** Where the pages of the service are. */
  readonly issuer: string;
  readonly isOwn: boolean;
}

function secretsOf(
  dataKey: Buffer,
  challenge: { readonly id: string; readonly kind: MessageKind },
  { page, issuer, isOwn }: Place,
): Values {
  if (isUndoId(challenge.id)) {
    const token = undoTokenOf(dataKey, challenge.id);
    const isOwnPage = isOwn || !page;
    return { link: isOwnPage ? undoPageOf(issuer, token) : undoLinkOf(page, token) };
  }
  if (isInvitationId(challenge.id)) {
    const token = invitationTokenOf(dataKey, challenge.id);
    const link = page ? invitationLinkOf(page, token) : invitationPageOf(issuer, token);
    return { link };
  }
  const { code, linkToken } = messageSecrets(dataKey, challenge);
  // A verification is for the session that asked, a second factor for its flow: their links would lead nowhere.
  const hasLink = page && !LINKLESS.includes(challenge.kind);
  const link = isOwn ? pageLinkOf : linkOf;
  return { code, link: hasLink ? link(page, linkToken) : undefined };
}
