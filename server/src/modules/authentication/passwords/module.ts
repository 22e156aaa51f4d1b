import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { createBreaches } from './password-policy.ts';

export const passwordsModule = defineModule('passwords', (core, use) => {
  const { close, ...offer } = createBreaches({
    ...core,
    ...use(journalModule),
    ...use(messagesModule),
  });
  return { offer, stop: close };
});
