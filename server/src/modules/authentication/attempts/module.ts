import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';

export const attemptsModule = defineModule('attempts', () => ({
  sweeps: [expiring('login_attempts', 'window_ends_at')],
}));
