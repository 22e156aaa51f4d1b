import { AppError, type Fail } from '@keywright/contract/errors';
import { finishUpstream } from '@keywright/contract/routes/upstream-logins';
import type { Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import { SessionCookie } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Challenges, Flows } from '../../authentication/flows/index.ts';
import type { Look } from '../../branding/brand/index.ts';
import { elsewhereView, endedLinkView, linkView } from '../../branding/views/index.ts';
import {
  type AuthorizationContexts,
  type Interactions,
  type PageRequest,
  isForServicePages,
} from './interaction.ts';
import {
  type InteractionPages,
  type ProviderProblem,
  providerProblemOf,
} from './interaction-pages.ts';
import type { InteractionReply, InteractionService } from './interaction-service.ts';
import { proven } from './login-steps.ts';

/** The parameters that an identity provider adds when it redirects the browser back. */
interface ProviderReturn {
  readonly handoff?: string;
  readonly error?: 'access_denied' | 'provider_refused';
}

interface OpenedLink {
  readonly token: string;
  readonly flowCookie: string | undefined;
  /** The form field that protects against cross-site requests. */
  readonly field: Html;
  readonly look: Look;
}

/** Interactions that continue after a redirect from an identity provider, or by the link in a message. */
export class LoginReturns {
  readonly #clock: Clock;
  readonly #perform: Router['perform'];
  readonly #service: InteractionService;
  readonly #interactions: Interactions;
  readonly #contexts: AuthorizationContexts;
  readonly #pages: InteractionPages;
  readonly #flows: Flows;
  readonly #challenges: Challenges;

  constructor(
    clock: Clock,
    perform: Router['perform'],
    service: InteractionService,
    interactions: Interactions,
    contexts: AuthorizationContexts,
    pages: InteractionPages,
    flows: Flows,
    challenges: Challenges,
  ) {
    this.#clock = clock;
    this.#perform = perform;
    this.#service = service;
    this.#interactions = interactions;
    this.#contexts = contexts;
    this.#pages = pages;
    this.#flows = flows;
    this.#challenges = challenges;
  }

  /** Continues the interaction after the identity provider has redirected the browser back. */
  async returnFromProvider(
    request: PageRequest,
    { handoff, error: providerError }: ProviderReturn,
    fail: Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>,
  ): Promise<InteractionReply<ProviderProblem['code'] | 'FORM_TOO_OLD'>> {
    const opened = await this.#service.open(request, fail);
    if (opened instanceof Page) return opened;
    const { context, page } = opened;
    const { tenant, interaction, decision } = context;
    const { flow } = interaction;
    const isWaiting = decision.kind === 'page' && ['login', 'register'].includes(decision.page);
    // The page was reloaded after the login had completed.
    if (!flow || !isWaiting) return this.#service.redirectToPage(page, interaction);
    const cookie = new SessionCookie();
    try {
      if (handoff === undefined) throw new AppError('PROVIDER_REFUSED');
      const answer = await this.#perform(finishUpstream, {
        tenant,
        params: { flow_id: flow.id },
        body: { flow_token: flow.token, handoff },
        device: { ...page.device, cookie },
      });
      const completed = { ...proven({ interaction }, answer), method: flow.provider };
      return await this.#service.continueAfterStep(page, context, completed, cookie);
    } catch (error) {
      const { texts } = page.look;
      const isDeclined = providerError === 'access_denied';
      const problem =
        error instanceof AppError ? providerProblemOf(error, { isDeclined, texts }) : undefined;
      if (problem === undefined) throw error;
      return this.#pages.refuse(page, context, problem);
    }
  }

  /**
   * Shows the page of a link in a message. Mail scanners open links, run scripts and press buttons, so nothing changes
   * until a button is pressed that is shown only in the browser that requested the message.
   */
  async showLink(
    tenant: Tenant,
    { token: linkToken, flowCookie, field, look }: OpenedLink,
  ): Promise<Page<'CODE_WRONG'>> {
    const link = await this.#challenges.find(tenant, linkToken);
    if (!link || link.isEnded) return new Page(endedLinkView({ look }), { refusal: 'CODE_WRONG' });
    const sealed = await this.#flows.findPage(tenant, link.flowId);
    const opened =
      sealed === undefined ? undefined : await this.#interactions.open(tenant, flowCookie, sealed);
    const interaction = opened?.isTooOld === false ? opened.interaction : undefined;
    const context = interaction && (await this.#contexts.load(tenant, interaction, undefined));
    if (!interaction || !context || flowCookie === undefined) {
      const { userAgent, startedAt } = link;
      const now = this.#clock.now();
      return new Page(elsewhereView({ look, userAgent, startedAt, now }));
    }
    const request = await this.#interactions.seal(tenant, flowCookie, interaction);
    const { sentTo = '' } = interaction.flow ?? {};
    const clientName = isForServicePages(interaction.request)
      ? look.texts.text('login.own_pages')
      : context.client.name;
    return new Page(linkView({ look, request, token: field, linkToken, sentTo, clientName }));
  }
}
