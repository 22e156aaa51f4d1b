import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { PasswordPolicy } from './password-policy.ts';

export const passwordsModule = defineModule('passwords', (core, use) => {
  const { notes } = use(journalModule);
  const { notices } = use(messagesModule);
  const passwordPolicy = new PasswordPolicy(core, notes, notices);
  return { offer: { passwordPolicy }, stop: () => passwordPolicy.close() };
});
