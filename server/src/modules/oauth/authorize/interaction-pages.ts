import { AppError, type Fail, type ErrorCode } from '@keywright/contract/errors';
import type { DetailsField } from '@keywright/contract/records/authorization-details';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { channelsOf } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import { offersPasskeys, offersUpstream } from '../../../tenancy/login-methods.ts';
import {
  accountView,
  type Carried,
  confirmationView,
  consentView,
  type ParticularGrant,
  type SaidField,
  hostOf,
  identifierView,
  type LoginPage,
  type Permission,
  registrationView,
  startView,
  stepsView,
  type Ways,
  typedProblem,
} from '../../branding/views/index.ts';
import { knownResources, typeNamed } from '../resources/index.ts';
import type { Situation } from './authorization-context.ts';
import { coversAddress } from './authorization-decision.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { carrying, type Visit, sealFor, type OwnFlow, type Interactions } from './interaction.ts';
import { OWN_PAGES, type ShownClient } from './page-logins.ts';
import type { PlacedScopes } from './request-scopes.ts';

/** What the user typed last, and what was wrong with it. */
interface Told {
  readonly identifier?: string | undefined;
  readonly problem?: Html | string;
}

export async function pageFor(
  { flows }: { readonly flows: Flows },
  { tenant, request, token, look, cookies }: Visit,
  situation: Situation,
  told: Told = {},
): Promise<Html> {
  const { flow: own } = situation.interaction;
  const flow = own && (await findFlow(flows, tenant, own));
  const page = render(situation, {
    ...told,
    flow,
    carried: { request, token, look },
    lastUsed: cookies.method,
  });
  if (!page) throw new Error('There is no page for this.');
  return page;
}

/** The same page, with what was wrong. */
export async function refuse<Code extends Problem['code']>(
  dependencies: {
    readonly flows: Flows;
    readonly interactions: Interactions;
    readonly clock: Clock;
  },
  visit: Visit,
  situation: Situation,
  problem: { readonly code: Code; readonly text: Html | string },
  identifier?: string,
): Promise<Page<Code>> {
  const { interaction } = situation;
  const request = await sealFor(dependencies, visit, interaction);
  const told = { identifier, problem: problem.text };
  const html = await pageFor(dependencies, carrying(visit, request), situation, told);
  return new Page(html, { refusal: problem.code });
}

/** Undefined if it has ended: then the login starts again. */
async function findFlow(
  flows: Flows,
  tenant: Tenant,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<LoginFlow | undefined> {
  const gone: Fail<'FLOW_ENDED'> = (code) => {
    throw new AppError(code);
  };
  return flows.read(tenant, id, token, gone).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'FLOW_ENDED') return undefined;
    throw error;
  });
}

/** What a page is made from, besides the request. */
interface Rendered {
  readonly carried: Carried;
  /** The login in progress, if one was started. */
  readonly flow: LoginFlow | undefined;
  /** What the user typed last, and what was wrong with it. */
  readonly identifier?: string | undefined;
  readonly problem?: Html | string | undefined;
  /** How the browser logged in last, according to its cookie. */
  readonly lastUsed: string | undefined;
}

/** The page of the next step. Undefined if the browser returns to the client. */
function render(situation: Situation, given: Rendered): Html | undefined {
  const { outcome, client, tenant, login } = situation;
  if (outcome.kind !== 'page') return undefined;
  if (outcome.page === 'login' || outcome.page === 'register') return loginPage(situation, given);
  if (!login) return undefined;
  const who = { ...given.carried, clientName: nameOf(client, given), identifier: login.identifier };
  const origin = originOf(client);
  const { request } = situation.interaction;
  if (outcome.page === 'confirm') {
    return confirmationView({ ...who, origin, host: hostOf(new URL(request.redirectUri)) });
  }
  if (outcome.page !== 'consent') return accountView(who);
  const [asked, known] = askedIn(outcome);
  const from = askedFrom(situation);
  const { policy_uri: policy, tos_uri: terms, contacts } = client;
  const about = { policy, terms, contacts };
  const particular = particularIn(request, outcome);
  const isNewAddress = isAtNewAddress(situation);
  const tenantName = tenant.name;
  const wanted = { from, isNewAddress, asked, known, particular, about };
  return consentView({ ...who, tenantName, origin, ...wanted });
}

/** Whether the user has authorized the client at other addresses only. */
function isAtNewAddress({ consent, interaction: { request } }: Situation): boolean {
  if (request.device || !consent || consent.redirectOrigins.length === 0) return false;
  return !coversAddress(consent, request.redirectUri);
}

/** The authorization details, in the words of their types. */
function particularIn(
  { details = [] }: AuthorizationRequest,
  { at }: PlacedScopes,
): ParticularGrant[] {
  const resources = knownResources(at.map(({ resource }) => resource));
  return details.flatMap(({ type, ...given }) => {
    const known = typeNamed(resources, type);
    if (!known) return [];
    const { name, description, fields } = known.type;
    return { name, description, at: known.resource.name, fields: wordsOf(given, fields) };
  });
}

function wordsOf(
  given: Readonly<Record<string, unknown>>,
  fields: readonly DetailsField[],
): SaidField[] {
  return fields.flatMap(({ name, label, kind, fields: inner = [] }): SaidField[] => {
    if (!Object.hasOwn(given, name)) return [];
    const value = given[name];
    if (kind !== 'object') return [[label, [value].flat().map(wordOf)]];
    const within = wordsOf(value as Readonly<Record<string, unknown>>, inner);
    return within.map(([part, values]) => [`${label}, ${part}`, values]);
  });
}

function wordOf(value: unknown): string | boolean {
  return typeof value === 'boolean' ? value : String(value);
}

/** Where the client is from, if no administrator vouches for it. */
function originOf({ id, created_by: by }: ShownClient) {
  if (by === 'metadata_document') return { host: hostOf(new URL(id)) };
  return by === 'registration' ? 'unverified' : undefined;
}

/** Where the user returns to, or the device that asks. */
function askedFrom({ interaction: { request }, now }: Situation) {
  const { device, redirectUri } = request;
  if (!device) return { host: hostOf(new URL(redirectUri)) };
  const { userCode, address, begunAt } = device;
  return { device: { userCode, address, ageMs: now.getTime() - begunAt * 1000 } };
}

/** The account page has a name in every language. */
function nameOf(client: ShownClient, { carried: { look } }: Rendered): string {
  return client.id === OWN_PAGES.id ? look.texts.text('login.own_pages') : client.name;
}

/** What is new, or all if nothing is, and what is known. */
function askedIn(outcome: PlacedScopes & { readonly added: PlacedScopes }) {
  const added = meaningsOf(outcome.added);
  const all = meaningsOf(outcome);
  if (added.length === 0) return [all, []] as const;
  const isNew = ({ scope, at }: Permission) =>
    added.some((one) => one.scope === scope && one.at === at);
  return [added, all.filter((one) => !isNew(one))] as const;
}

function meaningsOf({ scopes, at }: PlacedScopes): Permission[] {
  const there = at.flatMap(({ resource, scopes: wanted }) => {
    const { name, scopes: known } = resource;
    const told = wanted.map((scope) => {
      const description = known.find((one) => one.name === scope)?.description;
      return { scope, at: name, ...(description && { description }) };
    });
    // No scope is requested, only tokens that the resource accepts.
    return told.length > 0 ? told : [{ scope: '', at: name }];
  });
  return [...scopes.map((scope) => ({ scope })), ...there];
}

function loginPage(situation: Situation, given: Rendered): Html {
  const { tenant, client, interaction, outcome } = situation;
  const { carried, flow, problem, lastUsed } = given;
  const { request, wants, flow: own } = interaction;
  const known = identifierIn(situation);
  const confirms = wants === undefined ? known : undefined;
  const identifier = given.identifier ?? request.loginHint ?? known;
  const names = { tenantName: tenant.name, clientName: nameOf(client, given) };
  const ways = waysOf(tenant);
  const page: LoginPage = { ...carried, ...names, ways, confirms, identifier, problem, lastUsed };
  if (flow?.status === 'needs' && own && !isOpen(tenant, own, flow)) {
    const { needs, purpose } = flow;
    return stepsView({ ...page, identifier: own.identifier, needs, purpose, sentTo: own.sentTo });
  }
  const registers = outcome.kind === 'page' && outcome.page === 'register' && wants === undefined;
  if (wants === 'registration' || registers) return newAccountPage(page);
  if (wants === 'code') return identifierView(page, CODE);
  return wants === 'recovery' ? identifierView(page, RECOVERY) : startView(page);
}

/** The user who has logged in and must log in again by any method, unless the client expects another user. */
function identifierIn({ login, interaction }: Situation): string | undefined {
  const { wants, expected } = interaction;
  const isAnother = wants === 'another' || wants === 'registration' || expected !== undefined;
  return isAnother ? undefined : login?.identifier;
}

/** Whether no address was typed, so that every login method is still open. */
function isOpen(tenant: Tenant, { providerOf }: OwnFlow, { purpose, needs }: LoginFlow): boolean {
  if (providerOf !== 'anybody' || purpose !== 'login') return false;
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
  if (!page.ways.registration) return startView(page);
  return page.ways.channels.includes('email')
    ? identifierView(page, REGISTRATION)
    : registrationView(page);
}

/** Only methods that work with the tenant's current settings. */
export function waysOf(tenant: Tenant): Ways {
  const { allowed_login_methods: allowed, allow_registration: registration } = tenant.config;
  const password = allowed.includes('password');
  const channels = allowed.includes('magic_link') ? channelsOf(tenant) : [];
  const providers = offersUpstream(tenant) ? tenant.providers : [];
  return {
    password,
    channels,
    passkey: offersPasskeys(tenant),
    registration: registration && (password || channels.includes('email')),
    providers,
    asksFirst: providers.some(({ captures = [] }) => captures.length > 0),
  };
}

/** The text for an error that the user can do something about. */
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

/** Errors of a return from a provider. */
const OF_PROVIDERS = [
  'PROVIDER_REFUSED',
  'INVALID_CREDENTIALS',
  'IDENTIFIER_TAKEN',
  'FLOW_ENDED',
  'STEP_NOT_NEEDED',
  'NOT_FOUND',
  'TOO_MANY_ATTEMPTS',
] as const;

export interface ProviderProblem {
  readonly code: (typeof OF_PROVIDERS)[number];
  readonly text: Html | string;
}

/** The same for a login at a provider. */
export function providerProblemOf(
  error: AppError,
  { isDeclined, texts }: { readonly isDeclined: boolean; readonly texts: Texts },
): ProviderProblem | undefined {
  const code = OF_PROVIDERS.find((one) => one === error.code);
  const text = problemOf(error, texts)?.text;
  if (code === undefined || text === undefined) return undefined;
  if (code === 'PROVIDER_REFUSED' && isDeclined) {
    return { code, text: texts.text('problem.provider_declined') };
  }
  return {
    code,
    text: code === 'INVALID_CREDENTIALS' ? texts.text('problem.provider_unknown') : text,
  };
}

/** Undefined if it is not about the user's input. */
export function problemOf({ code, options }: AppError, texts: Texts): Problem | undefined {
  if (!isTold(code)) return undefined;
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

function isTold(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}
