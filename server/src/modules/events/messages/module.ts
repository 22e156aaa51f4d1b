import { type Core, defineModule } from '../../../tenancy/module.ts';
import { MailTransport } from '../../../platform/mail/transport.ts';
import { channelOf } from '../../../tenancy/channels.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { isDevelopment } from '../../../platform/development.ts';
import { journalModule } from '../journal/module.ts';
import {
  createNotifyAdministrators,
  type NotifyAdministrators,
  createNotify,
  type Notify,
} from './notices.ts';
import { createDevelopmentMailbox, type ShownMessage } from './development-mailbox.ts';
import {
  type Admission,
  type AdmitMessage,
  budgetOf,
  createAdmitMessage,
  createDeliveries,
  type Spent,
  type Wanted,
  createSmsLimits,
  type SmsLimits,
} from './message-limits.ts';
import {
  createMessageQueue,
  type MessageQueue,
  createQueueMessage,
  type QueueMessage,
} from './message-queue.ts';
import { bindMessageRoutes } from './routes.ts';
import { createSendMessage } from './message-sender.ts';
import { countMessage, findSenderIn, type Sender } from './message-store.ts';
import { createSuppress, type Suppress } from './message-log.ts';

const MESSAGES_KEPT_SECONDS = 30 * DAY_SECONDS;

export interface Messages {
  readonly queueMessage: QueueMessage;
  readonly admitMessage: AdmitMessage;
  /** Counts a message by mail or by SMS against who asks for it, before anything is written. */
  readonly admit: (tenant: Tenant, wanted: Wanted) => Promise<Admission>;
  /**
   * Counts a message against its recipient and the tenant. Whoever asks is not told.
   * @returns whether it may be sent
   */
  readonly spend: (tenant: Tenant, spent: Spent) => Promise<boolean>;
  readonly smsLimits: SmsLimits;
  /** Whether messages of the tenant can be sent at all. */
  readonly canSend: (tenant: TenantData) => Promise<boolean>;
  readonly notify: Notify;
  readonly notifyAdministrators: NotifyAdministrators;
  readonly queue: MessageQueue;
  readonly suppress: Suppress;
  /** Whether messages are shown at /dev/messages, and not sent. */
  readonly areShown: boolean;
  /** In development: the messages that were shown and not sent, the newest first. */
  readonly shown: () => readonly ShownMessage[];
}

function createSpend({ gate, clock }: Pick<Core, 'gate' | 'clock'>): Messages['spend'] {
  return async ({ id, config }, spent) => {
    const limits = budgetOf(spent, config);
    return (await countMessage(gate.into(id), limits, clock.now())) === undefined;
  };
}

export const messagesModule = defineModule<Messages>('messages', (core, use) => {
  const { config, log, masterKeys, clock, egress, baseUrl } = core;
  const mailbox = isDevelopment(config) ? createDevelopmentMailbox(log) : undefined;
  const transport = new MailTransport(egress, () => new URL(baseUrl()).hostname);
  const deliveries = createDeliveries(core.gate, masterKeys, () => clock.now());
  const given = { ...core, transport, fallback: config.mail, mailbox, deliveries };
  const send = createSendMessage(given);
  const queue = createMessageQueue({ ...core, ...use(journalModule) }, send);
  const queueMessage = createQueueMessage(masterKeys, queue);
  const canSend = ({ messaging: { email = {} } }: Sender) =>
    [config.mail, mailbox].some(Boolean) ||
    (email.smtp_host !== undefined && email.from_address !== undefined);
  const admitMessage = createAdmitMessage(() => clock.now());
  const smsLimits = createSmsLimits(core);
  return {
    offer: {
      queueMessage,
      canSend: async (tenant) => {
        const sender = await tenant.transaction(findSenderIn);
        return sender !== undefined && canSend(sender);
      },
      admitMessage,
      smsLimits,
      async admit(tenant, wanted) {
        if (channelOf(wanted.destination) === 'sms') return smsLimits.admit(tenant, wanted);
        const wait = await admitMessage(core.gate.into(tenant.id), wanted);
        return wait === undefined
          ? { outcome: 'admitted' }
          : { outcome: 'wait', retryAfterSeconds: wait };
      },
      spend: createSpend(core),
      notify: createNotify(queueMessage),
      notifyAdministrators: createNotifyAdministrators(queueMessage, canSend),
      queue,
      suppress: createSuppress(core.gate, core.dataKeys),
      areShown: mailbox !== undefined && config.mail === undefined,
      shown: () => mailbox?.shown() ?? [],
    },
    routes: (router) =>
      bindMessageRoutes(router, { ...core, queueMessage, canSend, smsLimits, mailbox }),
    sweeps: [expiring('messages', 'created_at', MESSAGES_KEPT_SECONDS)],
    start: () => queue.start(),
    async stop() {
      await queue.stop();
      await transport.close();
    },
  };
});
