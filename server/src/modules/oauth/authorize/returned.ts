import { AppError, type Fail } from '@keywright/contract/errors';
import { finishUpstream } from '@keywright/contract/routes/upstream-logins';
import { Page } from '../../../platform/http/replies.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import { arrive } from './arrive.ts';
import type { JourneyDependencies } from './dependencies.ts';
import type { Reply } from './journey.ts';
import { goOn, goOnAfter } from './onward.ts';
import { refuse } from './page-for.ts';
import { proven } from './proofs.ts';
import { type ProviderProblem, providerProblemOf } from './problems.ts';
import type { Visit } from './visit.ts';

interface Returned {
  readonly handoff?: string;
  readonly error?: 'access_denied' | 'provider_refused';
}

/** Continues the request for which the browser went to an identity provider. */
export async function comeBack(
  dependencies: JourneyDependencies,
  from: Visit,
  { handoff, error: told }: Returned,
  fail: Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>,
): Promise<Reply<ProviderProblem['code'] | 'FORM_TOO_OLD'>> {
  const arrived = await arrive(dependencies, from, fail);
  if (arrived instanceof Page) return arrived;
  const { situation, visit } = arrived;
  const { tenant, interaction, outcome } = situation;
  const { flow } = interaction;
  const isWaiting = outcome.kind === 'page' && ['login', 'register'].includes(outcome.page);
  // The page was reloaded after the login was complete.
  if (!flow || !isWaiting) return goOn(dependencies, visit, interaction);
  const cookie = new SessionCookie();
  try {
    if (handoff === undefined) throw new AppError('PROVIDER_REFUSED');
    const device = { ...visit.device, cookie };
    const body = { flow_token: flow.token, handoff };
    const params = { flow_id: flow.id };
    const answer = await dependencies.perform(finishUpstream, { tenant, params, body, device });
    const done = { ...proven({ interaction }, answer), method: flow.provider };
    return await goOnAfter(dependencies, visit, situation, done, cookie);
  } catch (error) {
    const problem =
      error instanceof AppError
        ? providerProblemOf(error, {
            isDeclined: told === 'access_denied',
            texts: visit.look.texts,
          })
        : undefined;
    if (problem === undefined) throw error;
    return refuse(dependencies, visit, situation, problem);
  }
}
