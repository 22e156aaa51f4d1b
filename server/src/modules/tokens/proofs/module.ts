import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { SpentStatements } from './proofs-store.ts';

export const proofsModule = defineModule('proofs', ({ gate }) => ({
  offer: {
    spentStatements: new SpentStatements(gate, 'statements'),
    spentProofs: new SpentStatements(gate, 'proofs'),
  },
  sweeps: [expiring('spent_assertions', 'expires_at')],
}));
