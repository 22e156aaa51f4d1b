import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { createBreaches } from './service.ts';

export const breachedPasswordsModule = defineModule('breached passwords', (core, use) => {
  const { close, ...offer } = createBreaches({
    ...core,
    ...use(journalModule),
    ...use(messagesModule),
  });
  return { offer, stop: close };
});
