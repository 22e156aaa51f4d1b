import { TEXT_LOCALES } from '@keywright/contract/locale';
import { batched } from '../../../platform/db/calls.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { MailOutcome } from '../../../platform/mail/mail.ts';
import type { MailTransport } from '../../../platform/mail/transport.ts';
import type { Reason } from '../../../platform/coded-reason.ts';
import type { FallbackMail } from '../../../platform/settings.ts';
import { localeOf } from '../../../platform/texts/locales.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { DevelopmentMailbox } from './development-mailbox.ts';
import type { RenderedPage } from './mail-rendering.ts';
import type { MessageRow } from './message.ts';
import type { UnverifiedDeliveries } from './message-limits.ts';
import { isSuppressed, suppressWithin } from './message-log.ts';
import { findSuppressionReasons, type SuppressionRef } from './message-log-store.ts';
import {
  isInvitationPending,
  NOT_SENT,
  readSenders,
  type Sender,
  type SenderOfMessage,
  type SenderRef,
} from './message-store.ts';
import { type MailRoute, openMessage, type Opened, ServerBreaker } from './outgoing-message.ts';
import { isFixedKind } from './message-texts.ts';

/** Lookups of messages that are sent at the same time share a statement. */
const LOOKUPS = { size: 32, flights: 4 };

const TENANT_GONE: Reason = { code: 'tenant_gone', detail: 'The tenant was deleted.' };
const WITHDRAWN: Reason = {
  code: 'withdrawn',
  detail: 'The invitation was revoked or accepted, or has expired, before it was sent.',
};
const NO_PROVIDER: Reason = {
  code: 'no_sms_provider',
  detail: 'The tenant has no provider of text messages.',
};
const NO_TEXT: Reason = { code: 'no_text', detail: 'Messages of this kind cannot be sent by SMS.' };
const NO_MAIL_SERVER: Reason = {
  code: 'no_mail_server',
  detail: 'Neither the tenant nor the service has a mail server.',
};
const PAUSED: Reason = {
  code: 'paused',
  detail: 'The mail server rejected the login or TLS five times in a row.',
};

/** The data that a message is rendered from. */
interface Written extends Pick<SenderOfMessage, 'sender' | 'templates'> {
  readonly opened: Opened;
}

/** Sends messages through the email server or the SMS provider of their tenant. */
export class MessageSender {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #egress: Egress;
  readonly #masterKeys: MasterKeys;
  readonly #baseUrl: () => string;
  /** For tenants without an email server. */
  readonly #fallback: FallbackMail | undefined;
  readonly #transport: MailTransport;
  /** Undefined in production. */
  readonly #mailbox: DevelopmentMailbox | undefined;
  readonly #unverified: UnverifiedDeliveries;
  readonly #breaker: ServerBreaker;
  readonly #readSender: (ref: SenderRef) => Promise<SenderOfMessage | undefined>;
  readonly #findSuppression: (ref: SuppressionRef) => Promise<string | undefined>;

  constructor(
    { gate, clock, egress, masterKeys, baseUrl, config }: Core,
    transport: MailTransport,
    mailbox: DevelopmentMailbox | undefined,
    unverified: UnverifiedDeliveries,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#egress = egress;
    this.#masterKeys = masterKeys;
    this.#baseUrl = baseUrl;
    this.#fallback = config.mail;
    this.#transport = transport;
    this.#mailbox = mailbox;
    this.#unverified = unverified;
    this.#breaker = new ServerBreaker(gate, clock);
    this.#readSender = batched((refs: readonly SenderRef[]) => readSenders(gate, refs), LOOKUPS);
    this.#findSuppression = batched(
      (refs: readonly SuppressionRef[]) => findSuppressionReasons(gate, refs),
      LOOKUPS,
    );
  }

  /** Whether emails of the tenant can be sent at all. */
  canSendMail({ messaging: { email = {} } }: Sender): boolean {
    return (
      [this.#fallback, this.#mailbox].some(Boolean) ||
      (email.smtp_host !== undefined && email.from_address !== undefined)
    );
  }

  /** Sends one message. Throws only because of an internal error. */
  async send(message: MessageRow): Promise<Outcome> {
    const { tenant_id: tenantId, kind, unverifiedShare: share } = message;
    const found = await this.#readSender({ tenantId, kind });
    if (!found) return failed(TENANT_GONE);
    if (kind === 'invitation') {
      const isPending = await isInvitationPending(this.#gate, message, this.#clock.now());
      if (!isPending) return failed(WITHDRAWN);
    }
    const opened = openMessage(message, found, {
      masterKeys: this.#masterKeys,
      fallback: this.#fallback,
      baseUrl: this.#baseUrl(),
      now: this.#clock.now(),
    });
    const written = { sender: found.sender, templates: found.templates, opened };
    const { to, bounce, route } = opened;
    const counted = (send: () => Promise<Outcome>) =>
      share === undefined ? send() : this.#sendCounted(to, share, send);
    if (message.channel === 'sms') return counted(() => this.#sendSms(message, written));
    const cause = await this.#findSuppression({ tenantId, id: bounce.id });
    if (isSuppressed(cause, kind)) {
      const detail = `No messages are sent to this recipient because of a ${cause ?? ''}.`;
      return failed({ code: 'suppressed', detail });
    }
    if (route) return counted(() => this.#sendMail(message, written, route));
    if (!this.#mailbox) return failed(NO_MAIL_SERVER);
    this.#show(message, to, await render(message, written));
    return { outcome: 'done' };
  }

  /** Sends a message within the limit for all tenants together, and counts it. */
  async #sendCounted(
    to: string,
    share: NonNullable<MessageRow['unverifiedShare']>,
    send: () => Promise<Outcome>,
  ): Promise<Outcome> {
    if (!(await this.#unverified.count(to, share))) return { outcome: 'done', reason: NOT_SENT };
    const outcome = await send();
    if (outcome.outcome !== 'done') await this.#unverified.giveBack(to, share);
    return outcome;
  }

  async #sendMail(
    message: MessageRow,
    written: Written,
    { key, server, from, replyTo }: MailRoute,
  ): Promise<Outcome> {
    if (this.#breaker.isPaused(key)) return { outcome: 'retry', reason: PAUSED };
    const { opened } = written;
    const rendered = await render(message, written);
    const domain = from.address.slice(from.address.indexOf('@') + 1);
    const result = await this.#transport.send(key, server, {
      messageId: `<${message.id}@${domain}>`,
      date: message.created_at,
      from,
      replyTo,
      to: opened.to,
      ...rendered,
    });
    const { tenant_id: tenantId, through } = message;
    // Neither a server that is only tested nor the former one decides who gets messages.
    if (result.outcome === 'rejected' && result.isUnknown && through === null) {
      await this.#gate.into(tenantId).transaction((tx) => suppressWithin(tx, opened.bounce));
    }
    if (result.outcome === 'refused') {
      await this.#breaker.refused(key, tenantId, result.reason);
    } else if (result.outcome !== 'unreachable') {
      this.#breaker.succeeded(key);
    }
    return outcomeOfMail(result, opened);
  }

  async #sendSms(message: MessageRow, { sender, opened }: Written): Promise<Outcome> {
    const { to, values, page, smsRoute: route } = opened;
    if (!route && !this.#mailbox) return failed(NO_PROVIDER);
    const { isSmsKind, renderSms, sendSms } = await import('./text-messages.ts');
    if (!isSmsKind(message.kind)) return failed(NO_TEXT);
    const text = await renderSms(message.kind, languagesOf(message, sender), values, page);
    if (route) {
      const sentAt = this.#clock.now();
      return sendSms(this.#egress, this.#breaker, route, message, { to, text, sentAt });
    }
    this.#show(message, to, { subject: 'SMS', text });
    return { outcome: 'done' };
  }

  #show(
    { id, tenant_id: tenantId, kind }: MessageRow,
    to: string,
    { subject, text, page }: Pick<RenderedPage, 'subject' | 'text'> & Partial<RenderedPage>,
  ): void {
    const at = this.#clock.now();
    this.#mailbox?.show({ id, tenantId, kind, to, subject, text, page, at });
  }
}

function failed(reason: Reason): Outcome {
  return { outcome: 'failed', reason };
}

function outcomeOfMail(result: MailOutcome, { to, values }: Opened): Outcome {
  if (result.outcome === 'accepted') return { outcome: 'done' };
  // The server may repeat the address, and parts of the text.
  const { code, detail = '' } = result.reason;
  const censored = [to, values['link'], values['code']]
    .filter((secret) => secret !== undefined)
    .reduce((text, secret) => text.replaceAll(secret, '…'), detail);
  const outcome = result.outcome === 'rejected' ? 'failed' : 'retry';
  return { outcome, reason: { code, detail: censored } };
}

/** The language of the user, then that of the request, then those of the tenant. */
function languagesOf(
  { user_locale: userLocale, locale }: MessageRow,
  { config }: Sender,
): readonly (string | null | undefined)[] {
  return [userLocale?.replaceAll('_', '-'), locale, ...(config.locales ?? [])];
}

/** Renders an email. The code for it is loaded with the first email. */
async function render(
  message: MessageRow,
  { sender, templates, opened }: Written,
): Promise<RenderedPage> {
  const { inWords, renderMessage } = await import('./mail-rendering.ts');
  const { chooseText, textsWith, withWarningsIn } = await import('./message-texts.ts');
  const textsOf = textsWith(sender.texts);
  const { kind } = message;
  const { isCustom, locale, ...chosen } = await chooseText(
    kind,
    languagesOf(message, sender),
    isFixedKind(kind) ? [] : templates,
    textsOf,
  );
  const text = isCustom ? await withWarningsIn(locale, kind, chosen, textsOf) : chosen;
  const values = await inWords(opened.values, locale, textsOf);
  const texts = await textsOf(localeOf(locale) ?? TEXT_LOCALES[0]);
  return renderMessage(text, values, { kind, locale, brand: opened.brand, texts });
}
