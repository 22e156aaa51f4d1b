import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { PreviewPage } from '@keywright/contract/preview-pages';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { waysOf } from '../../oauth/authorize/index.ts';
import type { Look } from '../../branding/brand/index.ts';
import {
  accountView,
  codesView,
  consentView,
  deviceView,
  identifierView,
  invitationView,
  type LoginPage,
  logoutView,
  registrationView,
  startView,
  stepsView,
} from '../../branding/views/index.ts';

const PERSON = 'ada@example.com';
const APPLICATION = 'Invoices';
const HOST = 'app.example.com';
const NOTHING = html``;

/** One page of the tenant, as its users see it, with people and applications that do not exist. */
export function pageOf(page: PreviewPage, tenant: Tenant, given: Look): Html {
  const look = withoutLinks(given);
  const carried = { look, request: '', token: NOTHING };
  const names = { tenantName: tenant.name, clientName: APPLICATION };
  const login = { ...carried, ...names, ways: waysOf(tenant) };
  return PAGES[page]({ look, login, tenant });
}

/** A link of a preview would lead its frame away. */
function withoutLinks({ brand, texts }: Look): Look {
  const nowhere = (link: string | undefined) => link && '#';
  return {
    brand: { ...brand, terms: nowhere(brand.terms), privacy: nowhere(brand.privacy) },
    texts,
  };
}

interface Shown {
  readonly look: Look;
  readonly login: LoginPage;
  readonly tenant: Tenant;
}

const PAGES: Readonly<Record<PreviewPage, (shown: Shown) => Html>> = {
  login: ({ login }) => startView(login),
  login_failed: ({ login, look }) =>
    startView({ ...login, identifier: PERSON, problem: look.texts.text('problem.incomplete') }),
  registration: ({ login }) =>
    login.ways.channels.includes('email')
      ? identifierView(login, REGISTRATION)
      : registrationView(login),
  recovery: ({ login }) => identifierView(login, RECOVERY),
  code: ({ login }) => steps(login, [{ step: 'code', channels: ['email'] }, { step: 'message' }]),
  second_factor: ({ login }) => steps(login, [{ step: 'totp' }, { step: 'recovery_code' }]),
  new_password: ({ login }) => steps(login, [{ step: 'new_password' }]),
  recovery_codes: ({ look }) => codesView({ look, codes: CODES, continueAt: '#' }),
  consent: ({ login }) =>
    consentView({
      ...login,
      identifier: PERSON,
      origin: { host: HOST },
      from: { host: HOST },
      isNewAddress: false,
      asked: ['openid', 'email', 'offline_access'].map((scope) => ({ scope })),
      known: [{ scope: 'profile' }],
      particular: [],
      about: { policy: null, terms: null, contacts: [] },
    }),
  accounts: ({ login }) => accountView({ ...login, identifier: PERSON }),
  device: ({ look }) => deviceView({ look, field: NOTHING, code: undefined }),
  invitation: ({ look, tenant: { name: tenantName } }) =>
    invitationView({
      look,
      field: NOTHING,
      token: '',
      tenantName,
      identifier: PERSON,
      inviter: 'Grace Hopper',
    }),
  logout: ({ login }) =>
    logoutView({ ...login, identifier: PERSON, returnsTo: undefined, isRefusedReturn: false }),
};

const REGISTRATION = {
  title: 'registration.title',
  lead: 'registration.lead_code',
  action: 'send_registration',
} as const;
const RECOVERY = {
  title: 'recovery.title',
  lead: 'recovery.lead',
  action: 'send_recovery',
} as const;
const CODES = ['ABCD-EFGH-JKMN', 'PQRS-TUVW-XYZ2', 'A2B3-C4D5-E6F7', 'G8H9-J2K3-M4N5'];

function steps(login: LoginPage, needs: LoginFlow['needs']): Html {
  return stepsView({ ...login, identifier: PERSON, needs, purpose: 'login', sentTo: 'a…@e….com' });
}
