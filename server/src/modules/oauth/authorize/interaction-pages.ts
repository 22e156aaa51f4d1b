import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { DetailsField } from '@keywright/contract/records/authorization-details';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { FilledPage, Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import {
  type Tenant,
  channelsOf,
  offersPasskeys,
  offersUpstream,
} from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import type { Brand } from '../../branding/brand/index.ts';
import {
  accountView,
  type Carried,
  confirmationView,
  consentView,
  hostOf,
  identifierView,
  type LoginPage,
  type AuthorizationDetail,
  type Permission,
  registrationView,
  type DetailField,
  startView,
  stepsView,
  typedProblem,
  type LoginMethods,
  StartPages,
} from '../../branding/views/index.ts';
import { TenantResources, typeNamed } from '../resources/index.ts';
import {
  type AuthorizationContext,
  type InteractionFlow,
  type Interactions,
  type PageRequest,
  SERVICE_PAGES,
  type ShownClient,
  withInteraction,
} from './interaction.ts';
import { coversRedirectUri, type ScopesByTarget } from './authorization-decision.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** The last input of the user, and the problem with it. */
interface LastInput {
  readonly identifier?: string | undefined;
  readonly name?: string | undefined;
  readonly problem?: Html | string;
}

/** Renders the page of the next step of an interaction. */
export class InteractionPages {
  readonly #flows: Flows;
  readonly #interactions: Interactions;
  readonly #startPages = new StartPages();

  constructor(flows: Flows, interactions: Interactions) {
    this.#flows = flows;
    this.#interactions = interactions;
  }

  /** Renders the page that the decision names. */
  async render(
    { tenant, request, token, look, cookies }: PageRequest,
    context: AuthorizationContext,
    input: LastInput = {},
  ): Promise<Html | FilledPage> {
    const { flow: current } = context.interaction;
    const flow = current && (await this.#findFlow(tenant, current));
    const carried = { request, token, look };
    const startPages = this.#startPages;
    return renderPage(context, { ...input, flow, carried, lastUsed: cookies.method, startPages });
  }

  /** Renders the same page again, with the problem. */
  async refuse<Code extends Problem['code']>(
    page: PageRequest,
    context: AuthorizationContext,
    { code, text }: { readonly code: Code; readonly text: Html | string },
    typed: Pick<LastInput, 'identifier' | 'name'> = {},
  ): Promise<Page<Code>> {
    const sealed = await this.#interactions.sealFor(page, context.interaction);
    const input = { ...typed, problem: text };
    const html = await this.render(withInteraction(page, sealed), context, input);
    return new Page(html, { refusal: code });
  }

  /** @returns undefined if the flow has ended, so that the login starts again */
  async #findFlow(tenant: Tenant, { id, token }: InteractionFlow): Promise<LoginFlow | undefined> {
    const fail: Fail<'FLOW_ENDED'> = (code) => {
      throw new AppError(code);
    };
    return this.#flows.read(tenant, id, token, fail).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'FLOW_ENDED') return undefined;
      throw error;
    });
  }
}

interface RenderInput extends LastInput {
  readonly carried: Carried;
  /** The login flow, if one was started and has not ended. */
  readonly flow: LoginFlow | undefined;
  /** The method of the browser's last login, according to its cookie. */
  readonly lastUsed: string | undefined;
  readonly startPages: StartPages;
}

function renderPage(context: AuthorizationContext, input: RenderInput): Html | FilledPage {
  const { decision, client, tenant, login } = context;
  if (decision.kind !== 'page') throw new Error('The request needs no page.');
  if (decision.page === 'login' || decision.page === 'register') return loginPage(context, input);
  if (!login) throw new Error('The page needs a login.');
  const clientName = nameOf(client, input);
  const common = { ...input.carried, clientName, identifier: login.identifier };
  const origin = originOf(client);
  const { request } = context.interaction;
  if (decision.page === 'confirm') {
    return confirmationView({ ...common, origin, host: hostOf(new URL(request.redirectUri)) });
  }
  if (decision.page !== 'consent') return accountView(common);
  const [requested, granted] = permissionsIn(decision);
  const { policy_uri: policy, tos_uri: terms, contacts } = client;
  return consentView({
    ...common,
    tenantName: tenant.name,
    origin,
    from: recipientOf(context),
    isNewAddress: isAtNewOrigin(context),
    requested,
    granted,
    authorizationDetails: detailsIn(request, decision),
    about: { policy, terms, contacts },
  });
}

/** Whether the user has authorized the client, but only at other addresses. */
function isAtNewOrigin({ consent, interaction: { request } }: AuthorizationContext): boolean {
  if (
    request.device ||
    request.test !== undefined ||
    !consent ||
    consent.redirectOrigins.length === 0
  )
    return false;
  return !coversRedirectUri(consent, request.redirectUri);
}

/** Describes the authorization details by the labels of their types. */
function detailsIn(
  { details = [] }: AuthorizationRequest,
  { at }: ScopesByTarget,
): AuthorizationDetail[] {
  const resources = new TenantResources(at.map(({ resource }) => resource));
  return details.flatMap(({ type, ...values }) => {
    const found = typeNamed(resources, type);
    if (!found) return [];
    const { name, description, fields } = found.type;
    return { name, description, at: found.resource.name, fields: labeledValues(values, fields) };
  });
}

function labeledValues(
  values: Readonly<Record<string, unknown>>,
  fields: readonly DetailsField[],
): DetailField[] {
  return fields.flatMap(({ name, label, kind, fields: innerFields = [] }): DetailField[] => {
    if (!Object.hasOwn(values, name)) return [];
    const value = values[name];
    if (kind !== 'object') return [[label, [value].flat().map(toShownValue)]];
    const inner = labeledValues(value as Readonly<Record<string, unknown>>, innerFields);
    return inner.map(([innerLabel, shown]) => [`${label}, ${innerLabel}`, shown]);
  });
}

function toShownValue(value: unknown): string | boolean {
  return typeof value === 'boolean' ? value : String(value);
}

/** The origin of a client that no administrator vouches for. */
function originOf({ id, created_by: by }: ShownClient) {
  if (by === 'metadata_document') return { host: hostOf(new URL(id)) };
  return by === 'registration' ? 'unverified' : undefined;
}

/** The host to which the user returns, or the device that waits. */
function recipientOf({ interaction: { request }, now }: AuthorizationContext) {
  const { device, redirectUri } = request;
  if (!device) return { host: hostOf(new URL(redirectUri)) };
  const { userCode, address, startedAt } = device;
  return { device: { userCode, address, ageMs: now.getTime() - startedAt * 1000 } };
}

/** The name of the client. The account page has a localized name. */
function nameOf(client: ShownClient, { carried: { look } }: RenderInput): string {
  return client.id === SERVICE_PAGES.id ? look.texts.text('login.own_pages') : client.name;
}

/** @returns the new permissions (or all, if none is new), and those that the user has allowed before */
function permissionsIn(decision: ScopesByTarget & { readonly added: ScopesByTarget }) {
  const added = listPermissions(decision.added);
  const all = listPermissions(decision);
  if (added.length === 0) return [all, []] as const;
  const isNew = ({ scope, at }: Permission) =>
    added.some((permission) => permission.scope === scope && permission.at === at);
  return [added, all.filter((permission) => !isNew(permission))] as const;
}

function listPermissions({ scopes, at }: ScopesByTarget): Permission[] {
  const atResources = at.flatMap(({ resource, scopes: requested }) => {
    const { name, scopes: defined } = resource;
    const permissions = requested.map((scope) => {
      const description = defined.find((definition) => definition.name === scope)?.description;
      return { scope, at: name, ...(description && { description }) };
    });
    // Without a scope, the request is only for tokens that the resource accepts.
    return permissions.length > 0 ? permissions : [{ scope: '', at: name }];
  });
  return [...scopes.map((scope) => ({ scope })), ...atResources];
}

function loginPage(context: AuthorizationContext, input: RenderInput): Html | FilledPage {
  const { tenant, client, interaction, decision } = context;
  const { carried, flow, problem, lastUsed, startPages } = input;
  const { request, chosenPage, flow: current } = interaction;
  const signedIn = identifierToConfirm(context);
  const page: LoginPage = {
    ...carried,
    tenantName: tenant.name,
    clientName: nameOf(client, input),
    methods: loginMethodsOf(tenant, carried.look.brand),
    reauthenticates: chosenPage === undefined ? signedIn : undefined,
    identifier: input.identifier ?? request.loginHint ?? signedIn,
    name: input.name,
    problem,
    lastUsed,
  };
  if (flow?.status === 'needs' && current && !allowsAnyMethod(tenant, current, flow)) {
    const { needs, purpose } = flow;
    const { identifier, sentTo } = current;
    return stepsView({ ...page, identifier, needs, purpose, sentTo });
  }
  const isRegistering = decision.kind === 'page' && decision.page === 'register';
  if (chosenPage === 'registration' || (isRegistering && chosenPage === undefined)) {
    return newAccountPage(page);
  }
  if (chosenPage === 'code') return identifierView(page, CODE);
  if (chosenPage === 'recovery') return identifierView(page, RECOVERY);
  return startPages.render(tenant, page);
}

/** The identifier of a user who must log in again, unless the client expects another user. */
function identifierToConfirm({ login, interaction }: AuthorizationContext): string | undefined {
  const { chosenPage, expected } = interaction;
  const isAnother = chosenPage === 'another' || chosenPage === 'registration';
  return isAnother || expected !== undefined ? undefined : login?.identifier;
}

/** Whether every login method is still possible, because no identifier was typed. */
function allowsAnyMethod(
  tenant: Tenant,
  { providerUsers }: InteractionFlow,
  { purpose, needs }: LoginFlow,
): boolean {
  if (providerUsers !== 'any' || purpose !== 'login') return false;
  const hasProviders = offersUpstream(tenant);
  return needs.some(({ step }) => step === (hasProviders ? 'oauth' : 'passkey'));
}

const CODE = {
  title: 'code.title',
  lead: 'code.lead',
  action: 'send_code',
} as const;
const RECOVERY = {
  title: 'recovery.title',
  lead: 'recovery.lead',
  action: 'send_recovery',
} as const;
const REGISTRATION = {
  title: 'registration.title',
  lead: 'registration.lead_code',
  action: 'send_registration',
} as const;

function newAccountPage(page: LoginPage): Html {
  if (!page.methods.registration) return startView(page);
  return page.methods.channels.includes('email')
    ? identifierView(page, REGISTRATION)
    : registrationView(page);
}

/** The login methods that work with the tenant's current settings. */
export function loginMethodsOf(
  tenant: Tenant,
  { identifierFirst }: Pick<Brand, 'identifierFirst'>,
): LoginMethods {
  const { allowed_login_methods: allowed, allow_registration: registration } = tenant.config;
  const password = allowed.includes('password');
  const channels = allowed.includes('magic_link') ? channelsOf(tenant) : [];
  const providers = offersUpstream(tenant) ? tenant.providers : [];
  return {
    password,
    channels,
    passkey: offersPasskeys(tenant),
    registration: registration && (password || channels.includes('email')),
    names: tenant.config.registration_name,
    providers,
    identifierFirst: identifierFirst || providers.some(({ captures = [] }) => captures.length > 0),
  };
}

/** The texts of errors that the user can do something about. */
const PROBLEMS = {
  INVALID_CREDENTIALS: 'problem.credentials',
  CODE_WRONG: 'problem.code',
  PASSKEY_REFUSED: 'problem.passkey',
  FLOW_ENDED: 'problem.ended',
  STEP_NOT_NEEDED: 'problem.elsewhere',
  NOT_FOUND: 'problem.ended',
  TOO_BUSY: 'problem.busy',
  IDENTIFIER_TAKEN: 'problem.taken',
  LINK_ELSEWHERE: 'problem.link_elsewhere',
  PROVIDER_REFUSED: 'problem.provider',
  DESTINATION_REFUSED: 'problem.destination',
  TOO_MANY_ATTEMPTS: 'problem.attempts',
  TOO_MANY_MESSAGES: 'problem.messages',
  VALIDATION_FAILED: 'problem.incomplete',
} as const;

export interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: Html | string;
}

/** @returns undefined unless the error is about the user's input */
export function problemOf({ code, options }: AppError, texts: Texts): Problem | undefined {
  if (!isProblem(code)) return undefined;
  const [first] = options.errors ?? [];
  if (code === 'VALIDATION_FAILED' && first) {
    return { code, text: typedProblem(first.message, texts) };
  }
  const { retryAfterSeconds: seconds } = options;
  const problem = texts.text(PROBLEMS[code]);
  if (seconds === undefined) return { code, text: problem };
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return { code, text: texts.text('problem.wait', { problem, minutes }) };
}

function isProblem(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}

/** Errors that a return from an identity provider can cause. */
const PROVIDER_ERRORS = [
  'PROVIDER_REFUSED',
  'INVALID_CREDENTIALS',
  'IDENTIFIER_TAKEN',
  'FLOW_ENDED',
  'STEP_NOT_NEEDED',
  'NOT_FOUND',
  'TOO_MANY_ATTEMPTS',
] as const;

export interface ProviderProblem {
  readonly code: (typeof PROVIDER_ERRORS)[number];
  readonly text: Html | string;
}

/** Like `problemOf`, for a login at an identity provider, which has additional texts. */
export function providerProblemOf(
  error: AppError,
  { isDeclined, texts }: { readonly isDeclined: boolean; readonly texts: Texts },
): ProviderProblem | undefined {
  const code = PROVIDER_ERRORS.find((candidate) => candidate === error.code);
  const text = problemOf(error, texts)?.text;
  if (code === undefined || text === undefined) return undefined;
  if (code === 'PROVIDER_REFUSED' && isDeclined) {
    return { code, text: texts.text('problem.provider_declined') };
  }
  const isUnknown = code === 'INVALID_CREDENTIALS';
  return { code, text: isUnknown ? texts.text('problem.provider_unknown') : text };
}
