import { defineModule } from '../../../tenancy/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { IdTokens, SubjectIdentifiers } from './id-tokens.ts';

export const idTokensModule = defineModule('id tokens', ({ clock }, use) => {
  const { keys, signJwt } = use(signingKeysModule);
  const subjects = new SubjectIdentifiers(keys);
  return { offer: { subjects, idTokens: new IdTokens(signJwt, subjects, clock) } };
});
