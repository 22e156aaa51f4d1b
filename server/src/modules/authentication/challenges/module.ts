import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { type Challenges, createChallenges } from './service.ts';

export const challengesModule = defineModule<{ readonly challenges: Challenges }>(
  'challenges',
  (core, use) => ({
    offer: { challenges: createChallenges({ ...core, ...use(messagesModule) }) },
    sweeps: [expiring('challenges', 'expires_at', 3600)],
  }),
);
