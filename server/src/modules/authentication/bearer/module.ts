import { defineModule } from '../../../tenancy/module.ts';
import { apiKeysModule } from '../../machines/api-keys/module.ts';
import { createAccessTokens } from '../../tokens/access-tokens/index.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { createIsAlive } from '../../tokens/grants/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import {
  createFindActive,
  createFindIssued,
  createAuthenticate,
  createReadClaims,
  createReadToken,
  createVerifyCredential,
  createVerifyToken,
} from './bearer-service.ts';
import { bindAuthenticationRoutes } from './routes.ts';

export const bearerModule = defineModule('bearer', ({ gate, clock }, use) => {
  const { apiKeys } = use(apiKeysModule);
  const { keys, verifyOwnJwt } = use(signingKeysModule);
  const tokens = createAccessTokens(keys, verifyOwnJwt);
  const readClaims = createReadClaims(tokens, clock);
  const isAlive = createIsAlive(gate, clock);
  const read = createReadToken(readClaims, isAlive);
  const verifyToken = createVerifyToken(read);
  const findActive = createFindActive(createVerifyCredential(verifyToken, apiKeys));
  return {
    offer: {
      authenticate: createAuthenticate(read, apiKeys, use(dpopModule).dpop),
      verifyToken,
      readClaims,
      findActive,
      isAlive,
      ...createFindIssued(tokens, isAlive, clock),
    },
    routes: (router) => bindAuthenticationRoutes(router, findActive),
  };
});
