import { defineModule } from '../../../tenancy/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { IdTokens, SubjectIdentifiers } from './id-tokens.ts';

export const idTokensModule = defineModule('id tokens', ({ clock }, use) => {
  const { keys, jwts } = use(signingKeysModule);
  const subjects = new SubjectIdentifiers(keys);
  return { offer: { subjects, idTokens: new IdTokens(jwts, subjects, clock) } };
});
