import { AppError, type Fail } from '@keywright/contract/errors';
import { finishUpstream } from '@keywright/contract/routes/upstream-logins';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import { elsewhereView, endedLinkView, linkView } from '../../branding/views/index.ts';
import { situate } from './authorization-context.ts';
import { refuse, type ProviderProblem, providerProblemOf } from './interaction-pages.ts';
import {
  arrive,
  type JourneyDependencies,
  type Reply,
  goOn,
  goOnAfter,
} from './interaction-service.ts';
import type { Visit } from './interaction.ts';
import { proven } from './login-steps.ts';
import { isOfOwnPages } from './page-logins.ts';

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

interface OpenedLink {
  readonly token: string;
  /** Of the browser. */
  readonly cookie: string | undefined;
  readonly field: Html;
  readonly look: Look;
}

/**
 * The page of a link in a message. Mail scanners open links, run scripts and press buttons. Nothing changes before a
 * button is pressed that only the browser that requested the message gets.
 */
export async function showLink(
  dependencies: JourneyDependencies,
  tenant: Tenant,
  { token, cookie, field, look }: OpenedLink,
): Promise<Page<'CODE_WRONG'>> {
  const { challenges, flows, interactions, clock } = dependencies;
  const link = await challenges.find(tenant, token);
  if (!link || link.isEnded) return new Page(endedLinkView({ look }), { refusal: 'CODE_WRONG' });
  const now = clock.now();
  const page = await flows.findPage(tenant, link.flowId);
  const opened =
    page === undefined ? undefined : await interactions.open(tenant.id, cookie, page, now);
  const interaction = opened?.isTooOld === false ? opened.interaction : undefined;
  const situation = interaction && (await situate(dependencies, tenant, interaction, undefined));
  if (!interaction || !situation || cookie === undefined) {
    const { userAgent, begunAt } = link;
    return new Page(elsewhereView({ look, userAgent, begunAt, now }));
  }
  const request = await interactions.seal(tenant.id, cookie, interaction, now);
  const { sentTo = '' } = interaction.flow ?? {};
  const shown = { look, request, token: field, linkToken: token, sentTo };
  return new Page(
    linkView({
      ...shown,
      clientName: isOfOwnPages(interaction.request)
        ? look.texts.text('login.own_pages')
        : situation.client.name,
    }),
  );
}
