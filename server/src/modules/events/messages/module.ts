import { defineModule } from '../../../tenancy/module.ts';
import { createMailTransport } from '../../../platform/mail/transport.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { createDevelopmentMailbox, isDevelopment, type ShownMessage } from './development.ts';
import { type AdmitMessage, createAdmitMessage } from './limits.ts';
import { createMessageQueue, type MessageQueue } from './queue.ts';
import { bindMessageRoutes } from './routes.ts';
import { createSendMessage } from './send.ts';
import { createQueueMessage, type QueueMessage } from './service.ts';

const MESSAGES_KEPT_SECONDS = 30 * DAY_SECONDS;

export interface Messages {
  readonly queueMessage: QueueMessage;
  readonly admitMessage: AdmitMessage;
  readonly queue: MessageQueue;
  /** In development: the messages that were shown and not sent, the newest first. */
  readonly shown: () => readonly ShownMessage[];
}

export const messagesModule = defineModule<Messages>('messages', (core) => {
  const { config, log, masterKeys, clock, egress, baseUrl } = core;
  const mailbox = isDevelopment(config) ? createDevelopmentMailbox(log) : undefined;
  const transport = createMailTransport(egress, () => new URL(baseUrl()).hostname);
  const send = createSendMessage({ ...core, transport, fallback: config.mail, mailbox });
  const queue = createMessageQueue(core, send);
  return {
    offer: {
      queueMessage: createQueueMessage(masterKeys, queue),
      admitMessage: createAdmitMessage(masterKeys, () => clock.now()),
      queue,
      shown: () => mailbox?.shown() ?? [],
    },
    routes: (router) => bindMessageRoutes(router, mailbox),
    sweeps: [expiring('messages', 'created_at', MESSAGES_KEPT_SECONDS)],
    start: queue.start,
    async stop() {
      await queue.stop();
      await transport.close();
    },
  };
});
