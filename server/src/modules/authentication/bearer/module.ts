import { verifyToken } from '@keywright/contract/routes/auth';
import { preparedOf } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { apiKeysModule } from '../../machines/api-keys/module.ts';
import { createAccessTokens } from '../../tokens/access-tokens/index.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { createIsAlive } from '../../tokens/grants/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { BearerService } from './bearer-service.ts';

export const bearerModule = defineModule('bearer', ({ gate, clock }, use) => {
  const { keys, verifyOwnJwt } = use(signingKeysModule);
  const bearer = new BearerService(
    createAccessTokens(keys, verifyOwnJwt),
    use(apiKeysModule).apiKeys,
    use(dpopModule).dpop,
    createIsAlive(gate, clock),
    clock,
  );
  return {
    offer: { bearer },
    routes: (router) =>
      router.add(verifyToken, async ({ tenant, body }) => {
        const claims = await bearer.findActive(tenant, body.token);
        return preparedOf(claims ? { ...claims, active: true } : { active: false });
      }),
  };
});
