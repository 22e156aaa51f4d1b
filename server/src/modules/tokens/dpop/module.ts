import { defineModule } from '../../../tenancy/module.ts';
import { signingKeysModule } from '../signing-keys/index.ts';
import { createDpop } from './dpop.ts';

export const dpopModule = defineModule('dpop', ({ gate, clock, baseUrl }, use) => {
  const { auditKeys } = use(signingKeysModule).keys;
  return { offer: { dpop: createDpop({ gate, clock, auditKeys, baseUrl }) } };
});
