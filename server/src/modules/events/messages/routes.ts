import { route } from '@keywright/contract/route';
import { Page } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import { type DevelopmentMailbox, isLocal } from './development.ts';
import { messagesPage } from './page.ts';

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

/** @param mailbox undefined in production */
export function bindMessageRoutes(router: Router, mailbox: DevelopmentMailbox | undefined): void {
  if (!mailbox) return;
  router.add(shownMessages, (call, fail) =>
    isLocal(call) ? new Page(messagesPage(mailbox.shown())) : fail('ROUTE_NOT_FOUND'),
  );
}
