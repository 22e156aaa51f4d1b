import * as feedbackRoutes from '@keywright/contract/routes/feedback';
import * as logRoutes from '@keywright/contract/routes/message-log';
import * as templateRoutes from '@keywright/contract/routes/messages';
import { isDevelopment } from '../../../platform/development.ts';
import { MailTransport } from '../../../platform/mail/transport.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { journalModule } from '../journal/module.ts';
import { bindMailbox, DevelopmentMailbox, type ShownMessage } from './development-mailbox.ts';
import { FeedbackService } from './feedback.ts';
import { MessageLimits, UnverifiedDeliveries } from './message-limits.ts';
import { MessageLog } from './message-log.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageSender } from './message-sender.ts';
import { Notices } from './notices.ts';
import { TemplateService } from './template-service.ts';

export const MESSAGES_STORED_SECONDS = 30 * DAY_SECONDS;

export interface Messages {
  readonly queue: MessageQueue;
  readonly limits: MessageLimits;
  readonly notices: Notices;
  readonly messageLog: MessageLog;
  readonly templates: TemplateService;
  /** Whether messages are shown at /dev/messages instead of being sent. */
  readonly areShown: boolean;
  /** In development: the messages that were shown instead of sent, newest first. */
  readonly shown: () => readonly ShownMessage[];
}

export const messagesModule = defineModule<Messages>('messages', (core, use) => {
  const { config, gate, clock, egress, baseUrl } = core;
  const mailbox = isDevelopment(config) ? new DevelopmentMailbox(core.log) : undefined;
  const transport = new MailTransport(egress, () => new URL(baseUrl()).hostname);
  const unverified = new UnverifiedDeliveries(gate, core.masterKeys, clock);
  const sender = new MessageSender(core, transport, mailbox, unverified);
  const queue = new MessageQueue(core, sender, use(journalModule).notes);
  const limits = new MessageLimits(gate, clock);
  const notices = new Notices(queue, sender);
  const messageLog = new MessageLog(gate, core.dataKeys);
  const templates = new TemplateService(core, queue, sender, limits);
  const feedback = new FeedbackService(core);
  return {
    offer: {
      queue,
      limits,
      notices,
      messageLog,
      templates,
      areShown: mailbox !== undefined && config.mail === undefined,
      shown: () => mailbox?.shown ?? [],
    },
    routes(router) {
      bindTemplates(router, templates);
      bindLog(router, messageLog);
      bindFeedback(router, feedback);
      if (mailbox) bindMailbox(router, mailbox);
    },
    sweeps: [expiring('messages', 'created_at', MESSAGES_STORED_SECONDS)],
    start: () => queue.start(),
    async stop() {
      await queue.stop();
      await transport.close();
    },
  };
});

function bindTemplates(router: Router, templates: TemplateService): void {
  router.add(templateRoutes.getTemplate, ({ tenant, params }, fail) =>
    templates.get(tenant.id, params, fail),
  );
  router.add(templateRoutes.putTemplate, ({ tenant, caller, params, body }, fail) =>
    templates.put(tenant, caller, params, body, fail),
  );
  router.add(templateRoutes.deleteTemplate, ({ tenant, caller, params }, fail) =>
    templates.delete(tenant.id, caller, params, fail),
  );
  router.add(templateRoutes.previewMessage, ({ tenant, body }, fail) =>
    templates.preview(tenant, body, fail),
  );
  router.add(templateRoutes.testMessage, ({ tenant, caller, body, repeatable }, fail) =>
    templates.sendTest(tenant, caller, body, repeatable, fail),
  );
}

function bindLog(router: Router, log: MessageLog): void {
  router.add(logRoutes.listMessages, ({ tenant, caller, query }, fail) =>
    log.list(tenant.id, caller, query, fail),
  );
  router.add(logRoutes.listSuppressions, ({ tenant, query }, fail) =>
    log.listSuppressions(tenant.id, query, fail),
  );
  router.add(logRoutes.getSuppression, ({ tenant, params }, fail) =>
    log.getSuppression(tenant.id, params.suppression, fail),
  );
  router.add(logRoutes.deleteSuppression, ({ tenant, caller, params }, fail) =>
    log.deleteSuppression(tenant.id, caller, params.suppression, fail),
  );
}

function bindFeedback(router: Router, feedback: FeedbackService): void {
  const { getFeedbackAddress, receiveFeedback, receiveFeedbackByIssuer } = feedbackRoutes;
  router.add(getFeedbackAddress, ({ tenant, caller }, fail) =>
    feedback.getAddress(tenant.id, caller, fail),
  );
  router.addAll([receiveFeedback, receiveFeedbackByIssuer], async (call, fail) => {
    const { tenant, params, body, from } = call;
    const request = { tenantId: tenant.id, from, token: params.token, body };
    return { suppressed: await feedback.receive(request, fail) };
  });
}
