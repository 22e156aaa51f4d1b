import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { createSpend } from './proofs-store.ts';

export const proofsModule = defineModule('proofs', ({ gate }) => ({
  offer: { spend: createSpend(gate, 'statements'), spendProof: createSpend(gate, 'proofs') },
  sweeps: [expiring('spent_assertions', 'expires_at')],
}));
