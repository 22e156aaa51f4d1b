import type { DetailsField } from '@keywright/contract/records/authorization-details';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
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
} from '../../branding/views/index.ts';
import { coversAddress } from './decide.ts';
import type { OwnFlow } from './interaction.ts';
import { offersUpstream } from '../../../tenancy/login-methods.ts';
import { knownResources, typeNamed } from '../resources/index.ts';
import type { AuthorizationRequest } from './request.ts';
import { OWN_PAGES, type ShownClient } from './own-login.ts';
import type { PlacedScopes } from './scopes.ts';
import type { Situation } from './situation.ts';
import { waysOf } from './ways.ts';

/** What a page is made from, besides the request. */
export interface Rendered {
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
export function render(situation: Situation, given: Rendered): Html | undefined {
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
