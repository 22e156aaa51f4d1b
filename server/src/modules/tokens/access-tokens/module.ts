import { defineModule } from '../../../tenancy/module.ts';
import { proofsModule } from '../proofs/module.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { createDpop } from './dpop.ts';

export const dpopModule = defineModule('dpop', ({ clock, baseUrl }, use) => {
  const { spendProof: spend } = use(proofsModule);
  const { auditKeys } = use(signingKeysModule).keys;
  return { offer: { dpop: createDpop({ spend, clock, auditKeys, baseUrl }) } };
});
