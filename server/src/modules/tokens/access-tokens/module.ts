import { defineModule } from '../../../tenancy/module.ts';
import { proofsModule } from '../proofs/module.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { AccessTokens } from './access-tokens.ts';
import { Dpop } from './dpop.ts';

export const accessTokensModule = defineModule('access tokens', ({ clock, baseUrl }, use) => {
  const { keys, jwts } = use(signingKeysModule);
  const { spentProofs } = use(proofsModule);
  return {
    offer: {
      accessTokens: new AccessTokens(keys, jwts),
      dpop: new Dpop(clock, baseUrl, spentProofs, keys.auditKeys),
    },
  };
});
