import type { Egress } from '../../../platform/egress/egress.ts';
import type { MailOutcome } from '../../../platform/mail/mail.ts';
import type { MailTransport } from '../../../platform/mail/transport.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import {
  type Breaker,
  createBreaker,
  recordFailing,
  open,
  type OpenDependencies,
  type Opened,
  type Route,
} from './outgoing-message.ts';
import type { DevelopmentMailbox } from './development-mailbox.ts';
import type { MessageRow, UnverifiedShare } from './message.ts';
import type { Rendered } from './mail-rendering.ts';
import type { Deliveries } from './message-limits.ts';
import { isPending, createReadSender, NOT_SENT, type Sender } from './message-store.ts';
import type { OwnText } from './message-texts.ts';
import { isSuppressed, suppressWithin } from './message-log.ts';
import { isFixedKind } from './template-rules.ts';
import { createFindSuppression } from './message-log-store.ts';

interface SendDependencies extends OpenDependencies {
  readonly gate: Gate;
  readonly transport: MailTransport;
  readonly egress: Egress;
  /** Undefined in production. */
  readonly mailbox: DevelopmentMailbox | undefined;
  readonly deliveries: Deliveries;
}

/** Sends one message. Throws only because of an internal error. */
export type SendMessage = (message: MessageRow) => Promise<Outcome>;

export function createSendMessage(dependencies: SendDependencies): SendMessage {
  const { gate, clock, mailbox } = dependencies;
  const breaker = createBreaker();
  const text = createSendText(dependencies, breaker);
  const readSender = createReadSender(gate);
  const findSuppression = createFindSuppression(gate);
  return async (message) => {
    const { id, tenant_id: tenantId, kind, unverifiedShare: share } = message;
    const found = await readSender({ tenantId, kind });
    if (!found) return failed('tenant_gone: The tenant was deleted.');
    const { sender, own } = found;
    if (kind === 'invitation' && !(await isPending(gate, message, clock.now()))) {
      return failed(WITHDRAWN);
    }
    const opened = open(dependencies, message, found);
    const { to, bounce, route } = opened;
    const counted = (send: () => Promise<Outcome>) =>
      share === undefined ? send() : countedBy(dependencies.deliveries, to, share, send);
    if (message.channel === 'sms') return counted(() => text(message, { sender, own, opened }));
    const reason = await findSuppression({ tenantId, id: bounce.id });
    if (isSuppressed(reason, kind)) {
      return failed(`suppressed: The address is not written to because of a ${reason ?? ''}.`);
    }
    const written = { sender, own, opened };
    if (route) return counted(() => sendBy(dependencies, breaker, message, written, route));
    if (!mailbox) return failed(NO_MAIL_SERVER);
    const rendered = await render(message, { sender, own, opened });
    mailbox.show({ id, tenantId, kind, to, ...rendered, at: clock.now() });
    return { outcome: 'done' };
  };
}

/** Counts what is handed over for all tenants together. */
async function countedBy(
  deliveries: Deliveries,
  to: string,
  share: UnverifiedShare,
  send: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!(await deliveries.count(to, share))) return { outcome: 'done', reason: NOT_SENT };
  const sent = await send();
  if (sent.outcome !== 'done') await deliveries.giveBack(to, share);
  return sent;
}

/** Sends one text message. */
function createSendText({ mailbox, ...dependencies }: SendDependencies, breaker: Breaker) {
  return async (message: MessageRow, { sender, opened }: Written): Promise<Outcome> => {
    const { id, tenant_id: tenantId, kind } = message;
    const { to, values, page, smsRoute: route } = opened;
    if (!route && !mailbox) return failed(NO_PROVIDER);
    const { isSmsKind, renderSms } = await import('./text-messages.ts');
    if (!isSmsKind(kind)) return failed(NO_TEXT);
    const text = await renderSms(kind, languagesOf(message, sender), values, page);
    if (route) {
      const { sendSms } = await import('./text-messages.ts');
      return sendSms({ ...dependencies, breaker }, message, { to, text }, route);
    }
    const at = dependencies.clock.now();
    mailbox?.show({ id, tenantId, kind, to, subject: 'SMS', text, at });
    return { outcome: 'done' };
  };
}

const WITHDRAWN =
  'withdrawn: The invitation was revoked or accepted, or has expired, before it was sent.';
const NO_PROVIDER = 'no_sms_provider: The tenant has no provider of text messages.';
const NO_TEXT = 'no_text: There is no text message of this kind.';
const NO_MAIL_SERVER = 'no_mail_server: Neither the tenant nor the service has a mail server.';
const PAUSED = 'paused: The mail server refused the login or TLS five times in a row.';

function failed(reason: string): Outcome {
  return { outcome: 'failed', reason };
}

async function sendBy(
  { gate, clock, transport }: SendDependencies,
  breaker: Breaker,
  message: MessageRow,
  written: Written,
  { key, server, from, replyTo }: Route,
): Promise<Outcome> {
  if (breaker.isPaused(key, clock.now())) return { outcome: 'retry', reason: PAUSED };
  const { opened } = written;
  const rendered = await render(message, written);
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const result = await transport.send(key, server, {
    messageId: `<${message.id}@${domain}>`,
    date: message.created_at,
    from,
    replyTo,
    to: opened.to,
    ...rendered,
  });
  const { tenant_id: tenantId } = message;
  if (result.outcome === 'rejected' && result.isUnknown) {
    await gate.into(tenantId).transaction((tx) => suppressWithin(tx, opened.bounce));
  }
  if (result.outcome === 'refused') {
    if (breaker.refused(key, clock.now())) await recordFailing(gate, tenantId, result.reason);
  } else if (result.outcome !== 'unreachable') {
    breaker.succeeded(key);
  }
  return outcomeOfJob(result, opened);
}

function outcomeOfJob(result: MailOutcome, { to, values }: Opened): Outcome {
  if (result.outcome === 'accepted') return { outcome: 'done' };
  // A server may repeat the address, and parts of the text.
  const reason = [to, values['link'], values['code']]
    .filter((one) => one !== undefined)
    .reduce((text, one) => text.replaceAll(one, '…'), result.reason);
  return { outcome: result.outcome === 'rejected' ? 'failed' : 'retry', reason };
}

/** What a message is rendered from. */
interface Written {
  readonly sender: Sender;
  readonly own: readonly OwnText[];
  readonly opened: Opened;
}

/** The user's own, then the one in which it was asked for, then those of the tenant. */
function languagesOf(
  { user_locale: own, locale }: MessageRow,
  { config }: Sender,
): readonly (string | null | undefined)[] {
  return [own?.replaceAll('_', '-'), locale, ...(config.locales ?? [])];
}

/** Loaded with the first message. */
async function render(message: MessageRow, { sender, own, opened }: Written): Promise<Rendered> {
  const { renderMessage } = await import('./mail-rendering.ts');
  const { chooseText, warned } = await import('./message-texts.ts');
  const { inWords } = await import('./mail-rendering.ts');
  const { textsWith } = await import('./message-texts.ts');
  const textsOf = textsWith(sender.texts);
  const { kind } = message;
  const { isOwn, locale, ...chosen } = await chooseText(
    kind,
    languagesOf(message, sender),
    isFixedKind(kind) ? [] : own,
    textsOf,
  );
  const text = isOwn ? await warned(kind, chosen, locale, textsOf) : chosen;
  const values = await inWords(opened.values, locale, textsOf);
  return renderMessage(text, values, { locale, brand: opened.brand });
}
