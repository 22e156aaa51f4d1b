import { verifyToken } from '@keywright/contract/routes/auth';
import { preparedOf } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { agentsModule } from '../../machines/agents/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { Liveness } from '../../tokens/grants/index.ts';
import { BearerService } from './bearer-service.ts';

export const bearerModule = defineModule('bearer', ({ gate, clock }, use) => {
  const { accessTokens, dpop } = use(accessTokensModule);
  const bearer = new BearerService(
    accessTokens,
    use(agentsModule).apiKeys,
    dpop,
    new Liveness(gate, clock),
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
