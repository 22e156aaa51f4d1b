import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { createInspectToken } from '../../tokens/access-tokens/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { bindDecisionPointMetadata } from './metadata.ts';
import { bindEvaluationRoutes } from './routes.ts';

export const evaluationModule = defineModule('evaluation', (core, use) => {
  const inspect = createInspectToken(use(signingKeysModule).keys);
  return {
    routes(router) {
      bindEvaluationRoutes(router, { ...core, ...use(bearerModule), inspect });
      bindDecisionPointMetadata(router, core.baseUrl);
    },
  };
});
