import { AppError, type Fail } from '@keywright/contract/errors';
import type { continueAuthorization } from '@keywright/contract/routes/authorize';
import type { Clock } from '../../../platform/clock.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Call } from '../../../tenancy/call.ts';
import { SessionCookie } from '../../../tenancy/caller.ts';
import { requireIssuer } from '../../../tenancy/tenant.ts';
import { deviceCookie, type Flows } from '../../authentication/flows/index.ts';
import type { LookService } from '../../branding/brand/index.ts';
import { codesView, redirectView, tooOldView } from '../../branding/views/index.ts';
import { type BrowserLogins, replaceLogin } from '../../tokens/sessions/index.ts';
import { requireOAuth } from '../clients/index.ts';
import {
  type AuthorizationContext,
  type AuthorizationContexts,
  type Interaction,
  type Interactions,
  type PageRequest,
  afterLogin,
  continuePath,
  formInPlace,
  isForServicePages,
  withInteraction,
} from './interaction.ts';
import {
  type AuthorizationGrants,
  type AuthorizationResponder,
  type AuthorizationResponse,
  addressResponse,
} from './authorization-response.ts';
import type { DeviceLogin } from './device-login.ts';
import type { FactorPages, LoginSteps, StepFields, StepResult } from './login-steps.ts';
import { type InteractionPages, type Problem, problemOf } from './interaction-pages.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The parts of a call that all pages of an interaction need. */
type PageCall = Pick<
  Call<typeof continueAuthorization>,
  'tenant' | 'cookies' | 'device' | 'form' | 'wishes' | 'host' | 'params'
>;

type InteractionFail = Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>;
type PageFail = InteractionFail & Fail<'ISSUER_ELSEWHERE'>;
type LoginCookie = 'session' | 'method' | 'device';
export type InteractionReply<Code extends Problem['code'] | 'FORM_TOO_OLD' = never> =
  | SeeOther<'flow' | LoginCookie>
  | Page<Code, 'flow' | LoginCookie>;

/** A page request in the language that the client requested, with its context. */
interface OpenedInteraction {
  readonly page: PageRequest;
  readonly context: AuthorizationContext;
}

/** The result of a step, and the login method that it reveals. */
interface CompletedStep extends Pick<StepResult, 'interaction' | 'codes' | 'deviceToken'> {
  readonly method: string | undefined;
}

const ACCESS_DENIED = { error: 'access_denied' } as const;

/** The pages that buttons open. */
const CHOSEN_PAGES: Readonly<Record<string, Interaction['chosenPage']>> = {
  begin_code: 'code',
  begin_recovery: 'recovery',
  begin_registration: 'registration',
  another: 'another',
};

/** The pages between an authorization request and its response: login, consent and other choices of the user. */
export class InteractionService {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #browserLogins: BrowserLogins;
  readonly #flows: Flows;
  readonly #looks: LookService;
  readonly #interactions: Interactions;
  readonly #contexts: AuthorizationContexts;
  readonly #grants: AuthorizationGrants;
  readonly #responder: AuthorizationResponder;
  readonly #devices: DeviceLogin;
  readonly #steps: LoginSteps;
  readonly #factorPages: FactorPages;
  readonly #pages: InteractionPages;

  constructor(
    gate: Gate,
    clock: Clock,
    browserLogins: BrowserLogins,
    flows: Flows,
    looks: LookService,
    interactions: Interactions,
    contexts: AuthorizationContexts,
    grants: AuthorizationGrants,
    responder: AuthorizationResponder,
    devices: DeviceLogin,
    steps: LoginSteps,
    factorPages: FactorPages,
    pages: InteractionPages,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#browserLogins = browserLogins;
    this.#flows = flows;
    this.#looks = looks;
    this.#interactions = interactions;
    this.#contexts = contexts;
    this.#grants = grants;
    this.#responder = responder;
    this.#devices = devices;
    this.#steps = steps;
    this.#factorPages = factorPages;
    this.#pages = pages;
  }

  /** Shows the page of the next step, or responds to the client. */
  readonly show = async (
    call: PageCall & { readonly query: { readonly request: string } },
    fail: PageFail,
  ): Promise<Page<'FORM_TOO_OLD'>> => {
    const opened = await this.open(await this.pageRequest(call, call.query.request, fail), fail);
    if (opened instanceof Page) return opened;
    const { context, page } = opened;
    const { decision, interaction, login } = context;
    const { device, redirectUri } = interaction.request;
    if (decision.kind === 'error') {
      if (device) return this.#devices.refuse(context, device, page, 'refused');
      return this.#respond(context, page, decision);
    }
    if (decision.kind === 'granted' && login) {
      if (device) return this.#devices.connect(context, login, device, page);
      if (isForServicePages(interaction.request)) {
        return new Page(redirectView(new URL(redirectUri), page.look.texts));
      }
      return this.#respond(
        context,
        page,
        await this.#grants.issueCode(context, login, page.device.from),
      );
    }
    return new Page(await this.#pages.render(page, context));
  };

  /** Handles a submitted form. Errors are shown on the same page. */
  readonly submit = async (
    { body: fields, ...call }: PageCall & { readonly body: StepFields },
    fail: PageFail,
  ): Promise<InteractionReply<Problem['code'] | 'FORM_TOO_OLD'>> => {
    const opened = await this.open(await this.pageRequest(call, fields.request, fail), fail);
    if (opened instanceof Page) return opened;
    const { context, page } = opened;
    if (fields.action === 'deny') return this.#deny(context, page);
    const chosen = await this.#applyChoice(context, fields.action, page);
    return chosen ? this.redirectToPage(page, chosen) : this.#runStep(context, page, fields, fail);
  };

  /** The request of a page at the issuer, with the look of the page. */
  async pageRequest(
    { tenant, cookies, device, form, wishes, ...place }: PageCall,
    request: string,
    fail: Fail<'ISSUER_ELSEWHERE'>,
  ): Promise<PageRequest> {
    requireIssuer(tenant, place, fail);
    const look = await this.#looks.find(tenant, wishes, formInPlace(request));
    return { tenant, cookies, device, wishes, request, token: form.field, look };
  }

  /**
   * Opens the interaction of a page request. If its page was left open for too long, the reply is a page that starts
   * the interaction again.
   * @throws AppError FORM_TOO_OLD unless the interaction was sealed for this browser
   */
  async open(
    request: PageRequest,
    fail: InteractionFail,
  ): Promise<OpenedInteraction | Page<'FORM_TOO_OLD'>> {
    const { tenant, cookies } = request;
    if (cookies.flow === undefined) return fail('COOKIE_REFUSED');
    const opened = await this.#interactions.open(tenant, cookies.flow, request.request);
    const { interaction, isTooOld } = opened ?? fail('FORM_TOO_OLD');
    // Pages of the service do not depend on the OpenID provider.
    if (!isForServicePages(interaction.request)) requireOAuth(tenant, fail);
    const page = await this.#lookingLike(request, interaction.request);
    if (isTooOld) return this.#startAgain(page, interaction);
    const context = await this.#contexts.load(tenant, interaction, cookies.session);
    return { page, context: context ?? fail('REQUEST_INVALID') };
  }

  /** The page in the look of the application, and in the language that it requests. */
  async #lookingLike(
    page: PageRequest,
    { clientId, uiLocales: wished }: Interaction['request'],
  ): Promise<PageRequest> {
    // OpenID Connect Core §3.1.2.1: ui_locales.
    const wishes = wished.length === 0 ? page.wishes : { ...page.wishes, wished };
    const look = await this.#looks.find(page.tenant, wishes, page.look.here, clientId);
    return { ...page, wishes, look };
  }

  /** Starts the same request again: the user repeats all steps. */
  async #startAgain(
    page: PageRequest,
    { request, expected }: Interaction,
  ): Promise<Page<'FORM_TOO_OLD'>> {
    const interaction = { request, ...(expected && { expected }), done: {} };
    const sealed = await this.#interactions.sealFor(page, interaction);
    return new Page(tooOldView(withInteraction(page, sealed)), { refusal: 'FORM_TOO_OLD' });
  }

  #respond(
    context: AuthorizationContext,
    { tenant, look }: PageRequest,
    response: AuthorizationResponse,
  ): Promise<Page> {
    return this.#responder.page(tenant, addressResponse(context, response), look.texts);
  }

  #deny(context: AuthorizationContext, page: PageRequest): Promise<Page> {
    const { device } = context.interaction.request;
    return device
      ? this.#devices.refuse(context, device, page, 'denied')
      : this.#respond(context, page, ACCESS_DENIED);
  }

  /**
   * Applies a choice of the user: another page, the current account, or a consent.
   * @returns undefined if the button is a step of a login
   */
  async #applyChoice(
    context: AuthorizationContext,
    action: string,
    { device: { from } }: PageRequest,
  ): Promise<Interaction | undefined> {
    const { interaction, login, decision } = context;
    const { request, expected, done, chosenPage } = interaction;
    const base = { request, ...(expected && { expected }) };
    if (action === 'restart') {
      return { ...base, done, ...(chosenPage === 'another' && { chosenPage }) };
    }
    const chosen = CHOSEN_PAGES[action];
    if (chosen) return { ...base, done, chosenPage: chosen };
    if (decision.kind !== 'page' || !login) return undefined;
    const { sessionId } = login;
    if (action === 'select') return { ...base, done: { ...done, selection: sessionId } };
    if (action !== 'allow') return undefined;
    // A consent covers only the permissions on the page.
    if (decision.page !== 'consent') throw new AppError('FORM_TOO_OLD');
    await this.#grants.consent(context, login, decision, from);
    return { ...base, done: { ...done, consent: sessionId } };
  }

  /** Runs a step of the login, or opens a page that the step needs. */
  async #runStep(
    context: AuthorizationContext,
    page: PageRequest,
    fields: StepFields,
    fail: InteractionFail,
  ): Promise<InteractionReply<Problem['code']>> {
    const { tenant, interaction } = context;
    const cookie = new SessionCookie();
    const device = { ...page.device, cookie };
    // A failed step can leave behind a flow, which is reused.
    let latest = interaction;
    try {
      const call = { tenant, interaction, fields, device, locale: preferredLocale(page.wishes) };
      const html = await this.#factorPages.open(call, page);
      if (html) return new Page(html);
      const step = this.#steps.find(fields.action) ?? fail('REQUEST_INVALID');
      const result = await step(call);
      latest = result.interaction;
      if (result.refused) throw result.refused;
      if (result.isSent) await this.#storeForLink(page, latest);
      const completed = { ...result, method: loginMethodOf(latest, fields) };
      return await this.continueAfterStep(page, context, completed, cookie);
    } catch (error) {
      const problem = error instanceof AppError ? problemOf(error, page.look.texts) : undefined;
      if (problem === undefined) throw error;
      return this.#pages.refuse(page, { ...context, interaction: latest }, problem, {
        identifier: fields.identifier,
        name: fields.name,
      });
    }
  }

  /** Stores the interaction with its flow, so that the link in the message continues it in this browser. */
  async #storeForLink(page: PageRequest, interaction: Interaction): Promise<void> {
    const { flow } = interaction;
    if (!flow) return;
    const sealed = await this.#interactions.sealFor(page, interaction);
    await this.#flows.savePage(page.tenant, flow, sealed);
  }

  /**
   * Continues the interaction after a step.
   * @param sessionCookie has a value if the step completed a login
   */
  async continueAfterStep(
    page: PageRequest,
    { login: former }: AuthorizationContext,
    { interaction, codes, method, deviceToken }: CompletedStep,
    { value }: SessionCookie,
  ): Promise<SeeOther<LoginCookie> | Page<never, LoginCookie>> {
    const { tenant } = page;
    const login =
      value === undefined
        ? undefined
        : await this.#browserLogins.find(tenant, value, null, this.#clock.now());
    if (login && former) {
      await replaceLogin(this.#gate.into(tenant.id), former, login, page.device.from);
    }
    const next = login
      ? afterLogin(interaction, login.sessionId)
      : withFirstMethod(interaction, method);
    const maxAgeSeconds = tenant.config.browser_session_ttl;
    const cookies: Cookie<LoginCookie>[] = [];
    if (value !== undefined) cookies.push({ name: 'session', value, maxAgeSeconds });
    if (login && method !== undefined) cookies.push(methodCookie(method));
    if (login && deviceToken !== undefined) cookies.push(deviceCookie(deviceToken));
    if (!codes) return this.redirectToPage(page, next, cookies);
    const sealed = await this.#interactions.sealFor(page, next);
    // The codes are shown only once, so the page has no form for another language.
    const { here: _here, ...look } = page.look;
    const html = codesView({ look, codes, continueAt: continuePath(tenant, sealed) });
    return new Page(html, { cookies });
  }

  /** Redirects the browser to the page of the next step. */
  async redirectToPage(
    page: PageRequest,
    interaction: Interaction,
    cookies: readonly Cookie<LoginCookie>[] = [],
  ): Promise<SeeOther<LoginCookie>> {
    const sealed = await this.#interactions.sealFor(page, interaction);
    return new SeeOther(continuePath(page.tenant, sealed), cookies);
  }
}

/** Remembers the method of the first proof, because a second factor or a new password can follow. */
function withFirstMethod(interaction: Interaction, method: string | undefined): Interaction {
  const { flow } = interaction;
  return flow && method !== undefined ? { ...interaction, flow: { ...flow, method } } : interaction;
}

/** The login method of each button. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['register', 'password'],
  ['password', 'password'],
  ['code', 'code'],
  ['link', 'code'],
  ['prove_passkey', 'passkey'],
]);

/**
 * The method of a login, as far as this step reveals it: `password`, `code`, `passkey` or the ID of an identity
 * provider. A second factor does not change it. A user who recovers their account has a password afterward.
 */
function loginMethodOf(
  { flow }: Pick<Interaction, 'flow'>,
  { action, secret }: Pick<StepFields, 'action' | 'secret'>,
): string | undefined {
  if (action === 'new_password') return 'password';
  if (flow?.method !== undefined) return flow.method;
  if (action === 'login') return secret ? 'password' : undefined;
  return METHODS.get(action);
}

/**
 * The value that the browser stores for its next login, without names or addresses. It is untrusted, and only marks a
 * method that the page offers anyway.
 */
function methodCookie(value: string): Cookie<'method'> {
  return { name: 'method', value, maxAgeSeconds: YEAR_SECONDS };
}
