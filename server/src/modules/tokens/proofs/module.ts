import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { SpentStatements } from './proofs-store.ts';
import { IssuerKeys } from './remote-keys.ts';

export const proofsModule = defineModule('proofs', ({ gate, egress, clock }) => ({
  offer: {
    issuerKeys: new IssuerKeys(egress, clock),
    spentStatements: new SpentStatements(gate, 'statements'),
    spentProofs: new SpentStatements(gate, 'proofs'),
  },
  sweeps: [expiring('spent_assertions', 'expires_at')],
}));
