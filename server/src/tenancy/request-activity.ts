import type { Counter } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import { impersonate, refresh } from '@keywright/contract/routes/auth';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { FastifyInstance } from 'fastify';
import { routeOf } from '../platform/telemetry/metrics.ts';
import type { CountActivity } from './activity.ts';

const REFUSED: Readonly<Record<number, Counter>> = {
  401: 'requests_refused.unauthenticated',
  403: 'requests_refused.forbidden',
  429: 'requests_refused.throttled',
};

/** Each success of these routes issues an access token. The tokens of logins are counted where the session starts. */
const ISSUING = new Set<string>([refresh.id, issueToken.id, issueTokenByIssuer.id, impersonate.id]);

/** Counts the requests of each tenant by response status. */
export function countRequests(server: FastifyInstance, { count }: CountActivity): void {
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const tenantId = request.facts.tenant as TenantId | undefined;
    if (tenantId !== undefined) {
      count(tenantId, 'requests');
      const refused = REFUSED[statusCode];
      if (refused) count(tenantId, refused);
      else if (statusCode === 200 && ISSUING.has(routeOf(request))) {
        count(tenantId, 'tokens_issued');
      }
    }
    done();
  });
}
