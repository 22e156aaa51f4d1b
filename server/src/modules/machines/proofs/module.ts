import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';

export const proofsModule = defineModule('proofs', () => ({
  sweeps: [expiring('spent_assertions', 'expires_at')],
}));
