import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { offersPasskeys } from '../../authentication/passkeys/index.ts';
import {
  accountView,
  type Carried,
  consentView,
  hostOf,
  identifierView,
  type LoginPage,
  registrationView,
  startView,
  stepsView,
  type Ways,
} from '../../pages/hosted/index.ts';
import type { Situation } from './situation.ts';

/** What a page is made of, besides what is asked. */
export interface Rendered {
  readonly carried: Carried;
  /** The login in progress, if one was begun. */
  readonly flow: LoginFlow | undefined;
  /** What the user typed last, and what was wrong with it. */
  readonly identifier?: string | undefined;
  readonly problem?: string | undefined;
}

/** The page for what is needed now. Nothing if the browser goes back to the client. */
export function render(situation: Situation, given: Rendered): Html | undefined {
  const { outcome, client, tenant, login } = situation;
  if (outcome.kind !== 'page') return undefined;
  if (outcome.page === 'login' || outcome.page === 'register') return loginPage(situation, given);
  if (!login) return undefined;
  const who = { ...given.carried, clientName: client.name, identifier: login.identifier };
  if (outcome.page !== 'consent') return accountView(who);
  const { scopes, added } = outcome;
  const host = hostOf(new URL(situation.interaction.request.redirectUri));
  return consentView({ ...who, tenantName: tenant.name, host, scopes, added });
}

function loginPage({ tenant, client, interaction, outcome }: Situation, given: Rendered): Html {
  const { carried, flow, problem } = given;
  const { request, wants, flow: own } = interaction;
  const identifier = given.identifier ?? request.loginHint;
  const ways = waysOf(tenant);
  const names = { tenantName: tenant.name, clientName: client.name };
  const page: LoginPage = { ...carried, ...names, ways, identifier, problem };
  if (flow?.status === 'needs' && own) {
    return stepsView({ ...page, needs: flow.needs, sentTo: own.sentTo });
  }
  const registers = outcome.kind === 'page' && outcome.page === 'register' && wants === undefined;
  if (wants === 'registration' || registers) return newAccountPage(page);
  if (wants === 'code') return identifierView(page, CODE);
  return wants === 'recovery' ? identifierView(page, RECOVERY) : startView(page);
}

const CODE = {
  title: 'Log in with a code',
  text: 'A code is sent to your address, if it has an account.',
  action: 'send_code',
};
const RECOVERY = {
  title: 'Recover your account',
  text: 'A code is sent to your address, if it has an account. Then you choose a new password.',
  action: 'send_recovery',
};
const REGISTRATION = {
  title: 'Create an account',
  text: 'A code is sent to your address.',
  action: 'send_registration',
};

function newAccountPage(page: LoginPage): Html {
  if (!page.ways.registration) return startView(page);
  return page.ways.message ? identifierView(page, REGISTRATION) : registrationView(page);
}

/** Only what works for the tenant as it is. */
function waysOf(tenant: Tenant): Ways {
  const { allowed_login_methods: allowed, allow_registration: registration } = tenant.config;
  const password = allowed.includes('password');
  const message = allowed.includes('magic_link') && tenant.sendsMail;
  return {
    password,
    message,
    passkey: offersPasskeys(tenant),
    registration: registration && (password || message),
    providers: [],
  };
}
