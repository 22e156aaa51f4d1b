import { parseIdentifier } from '@keywright/contract/identifiers';
import { route, pathTo } from '@keywright/contract/route';
import {
  getFeedbackAddress,
  receiveFeedback,
  receiveFeedbackByIssuer,
} from '@keywright/contract/routes/feedback';
import {
  deleteSuppression,
  getSuppression,
  listMessages,
  listSuppressions,
} from '@keywright/contract/routes/message-log';
import {
  deleteTemplate,
  getTemplate,
  previewMessage,
  putTemplate,
  testMessage,
} from '@keywright/contract/routes/messages';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import type { Router } from '../../../tenancy/router.ts';
import { requireForText, requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import { type DevelopmentMailbox, isLocal, messagesPage } from './development-mailbox.ts';
import { takeFeedback, createSns, feedbackToken } from './feedback.ts';
import { admitTest, type SmsLimits } from './message-limits.ts';
import {
  listMessagesPage,
  getSuppressionBy,
  listSuppressionsPage,
  removeSuppression,
} from './message-log.ts';
import type { QueueMessage } from './message-queue.ts';
import type { Sender } from './message-store.ts';
import {
  createSendSmsTest,
  getTemplate as getTemplateOf,
  preview,
  removeTemplate,
  sendTest,
  writeTemplate,
} from './template-service.ts';

/** Not part of the contract: in production it does not exist. */
const shownMessages = route({
  id: 'service.messages',
  method: 'GET',
  path: '/dev/messages',
  access: 'open',
  errorForm: 'page',
  summary: 'Messages that were not sent',
  ok: { kind: 'html', status: 200, policy: { styles: true } },
  errors: ['ROUTE_NOT_FOUND'],
});

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly queueMessage: QueueMessage;
  readonly canSend: (sender: Sender) => boolean;
  readonly smsLimits: SmsLimits;
  /** Undefined in production. */
  readonly mailbox: DevelopmentMailbox | undefined;
}

export function bindMessageRoutes(router: Router, dependencies: Dependencies): void {
  bindTemplates(router, dependencies);
  bindTest(router, dependencies);
  bindLog(router, dependencies);
  bindFeedbackRoutes(router, dependencies);
  const { mailbox } = dependencies;
  if (!mailbox) return;
  router.add(shownMessages, (call, fail) =>
    isLocal(call) ? new Page(messagesPage(mailbox.shown())) : fail('ROUTE_NOT_FOUND'),
  );
}

function bindTemplates(router: Router, { gate }: Dependencies): void {
  router.add(getTemplate, ({ tenant, params }, fail) =>
    getTemplateOf(gate.into(tenant.id), params, fail),
  );
  router.add(putTemplate, ({ tenant, caller, params, body }, fail) =>
    gate.into(tenant.id).transaction(async (tx) => {
      await requireForText(tx, tenant, caller, `${body.subject}\n${body.text}`, fail);
      return writeTemplate(tx, caller, params, body, fail);
    }),
  );
  router.add(deleteTemplate, ({ tenant, caller, params }, fail) =>
    gate.into(tenant.id).transaction((tx) => removeTemplate(tx, caller, params, fail)),
  );
  router.add(previewMessage, async ({ tenant, body }, fail) => {
    const { subject, text, html } = await preview(gate.into(tenant.id), tenant.issuer, body, fail);
    const { previewSms } = await import('./text-messages.ts');
    const sms = await previewSms(gate.into(tenant.id), tenant.issuer, body);
    return { subject, text, html, ...(sms && { sms }) };
  });
}

function bindTest(router: Router, dependencies: Dependencies): void {
  const { gate, queueMessage, canSend } = dependencies;
  const sendSmsTest = createSendSmsTest(dependencies);
  router.add(testMessage, async ({ tenant, caller, body, repeatable }, fail) => {
    const to = parseIdentifier(body.to) ?? fail('VALIDATION_FAILED', NO_RECIPIENT);
    const wanted = { ...body, to: to.identifier };
    return once(gate.into(tenant.id), repeatable, async (tx) => {
      const retryAfterSeconds = await admitTest(tx);
      if (retryAfterSeconds !== undefined) fail('TOO_MANY_MESSAGES', { retryAfterSeconds });
      return to.type === 'email'
        ? sendTest(tx, queueMessage, caller, wanted, fail, canSend)
        : sendSmsTest(tx, tenant, caller, wanted, fail);
    });
  });
}

const NO_RECIPIENT = {
  errors: [{ path: '/to', message: 'must be an e-mail address or a phone number' }],
};

function bindLog(router: Router, { gate, dataKeys }: Dependencies): void {
  router.add(listMessages, ({ tenant, caller, query }, fail) =>
    listMessagesPage(gate.into(tenant.id), caller, query, fail),
  );
  router.add(listSuppressions, ({ tenant, query }, fail) =>
    listSuppressionsPage(gate.into(tenant.id), query, fail),
  );
  router.add(getSuppression, ({ tenant, params }, fail) =>
    getSuppressionBy(gate.into(tenant.id), dataKeys, params.suppression, fail),
  );
  router.add(deleteSuppression, ({ tenant, caller, params }, fail) =>
    removeSuppression(gate.into(tenant.id), dataKeys, caller, params.suppression, fail),
  );
}

interface FeedbackDependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

function bindFeedbackRoutes(router: Router, dependencies: FeedbackDependencies): void {
  const { gate, dataKeys, egress, clock, baseUrl } = dependencies;
  const around = { ...dependencies, sns: createSns(egress, clock) };
  router.add(getFeedbackAddress, async ({ tenant, caller }, fail) => {
    await gate.into(tenant.id).transaction((tx) => requireAsMuchAsAnyone(tx, caller, fail));
    const token = await dataKeys.use(tenant.id, (key) => feedbackToken(key, tenant.id));
    return { url: baseUrl() + pathTo(receiveFeedbackByIssuer, { tenant_id: tenant.id, token }) };
  });
  router.addAll([receiveFeedback, receiveFeedbackByIssuer], async (call, fail) => {
    const { tenant, params, body, from } = call;
    const received = { tenantId: tenant.id, from, token: params.token, body };
    return { suppressed: await takeFeedback(around, received, fail) };
  });
}
