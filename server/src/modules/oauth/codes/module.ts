import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { proofsModule } from '../../tokens/proofs/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { AuthorizationCodes, Seals } from './authorization-codes.ts';
import { PushedRequests } from './pushed-requests.ts';

export const codesModule = defineModule('codes', ({ gate, clock }, use) => {
  const seals = new Seals(use(signingKeysModule).keys.auditKeys);
  return {
    offer: {
      seals,
      codes: new AuthorizationCodes(seals),
      pushedRequests: new PushedRequests(gate, clock, use(proofsModule).spentStatements),
    },
    sweeps: [expiring('pushed_requests', 'expires_at')],
  };
});
