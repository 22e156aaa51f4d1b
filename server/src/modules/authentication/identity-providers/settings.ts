import type { FieldError } from '@keywright/contract/errors';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { Egress } from '../../../platform/egress/egress.ts';
import { isSharedDirectory, issuesIdTokens, type ProviderSettings } from '../upstream/index.ts';
import { objectionToIssuer } from './rules.ts';

type Type = IdentityProviderRecord['type'];

const NONE: ProviderSettings = {
  issuer: '',
  scopes: ['profile', 'email'],
  domains: [],
  link: 'ask',
  trust_mfa: false,
  allowed_tenants: [],
  team_id: null,
  key_id: null,
  authorization_endpoint: null,
  token_endpoint: null,
  userinfo_endpoint: null,
  subject_claim: null,
};

/** The issuers of the public services. */
const USUAL: Readonly<Record<Type, Partial<ProviderSettings>>> = {
  oidc: {},
  google: { issuer: 'https://accounts.google.com' },
  microsoft: { issuer: 'https://login.microsoftonline.com/organizations/v2.0' },
  apple: { issuer: 'https://appleid.apple.com', scopes: ['email'] },
  github: { issuer: 'https://github.com', scopes: ['read:user', 'user:email'] },
  oauth2: { scopes: [], subject_claim: 'sub' },
};

/** Every setting of a provider of this type. */
export function settingsOf(type: Type, given: Partial<ProviderSettings>): ProviderSettings {
  const all = { ...NONE, ...USUAL[type], ...withoutUndefined(given) };
  const { issuer, scopes, domains, link, trust_mfa, allowed_tenants, team_id, key_id } = all;
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, subject_claim } = all;
  return {
    issuer,
    scopes: [...scopes],
    domains: [...domains],
    link,
    trust_mfa,
    allowed_tenants: [...allowed_tenants],
    team_id,
    key_id,
    authorization_endpoint,
    token_endpoint,
    userinfo_endpoint,
    subject_claim,
  };
}

function withoutUndefined(given: Partial<ProviderSettings>): Partial<ProviderSettings> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Settings that only this type has, and that it needs. */
const OWN: Readonly<Partial<Record<Type, readonly (keyof ProviderSettings)[]>>> = {
  apple: ['team_id', 'key_id'],
  oauth2: ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'subject_claim'],
};
/** Public services whose web applications authenticate with a secret. */
const NEEDS_SECRET: readonly Type[] = ['google', 'microsoft', 'apple', 'github'];
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const;

/** How a provider would be stored. */
interface State {
  readonly settings: ProviderSettings;
  readonly isActive: boolean;
  readonly hasSecret: boolean;
}

/** What is wrong with the settings of a provider. Host names are resolved when they are called. */
export function flawsOf(
  egress: Pick<Egress, 'findObjection'>,
  type: Type,
  { settings, isActive, hasSecret }: State,
): FieldError[] {
  const own = OWN[type] ?? [];
  const flaws = Object.values(OWN)
    .flat()
    .flatMap((name): FieldError[] => {
      const isSet = settings[name] !== null;
      if (isSet === own.includes(name)) return [];
      const message = isSet ? `is not for the type ${type}` : `is required for the type ${type}`;
      return [{ path: `/${name}`, message }];
    });
  if (settings.issuer === '') {
    flaws.push({ path: '/issuer', message: `is required for the type ${type}` });
  } else {
    const objection = objectionToIssuer(egress, settings.issuer);
    if (objection) flaws.push({ path: '/issuer', message: objection });
  }
  for (const name of ENDPOINTS) {
    const objection = settings[name] === null ? undefined : egress.findObjection(settings[name]);
    if (objection)
      flaws.push({ path: `/${name}`, message: `cannot be called. ${objection.detail}` });
  }
  if (settings.trust_mfa && !issuesIdTokens(type)) {
    flaws.push({ path: '/trust_mfa', message: `cannot be true for the type ${type}` });
  }
  if (isActive && !hasSecret && NEEDS_SECRET.includes(type)) {
    const message = `is required for an active provider of the type ${type}`;
    flaws.push({ path: '/client_secret', message });
  }
  return [...flaws, ...flawsOfTenants(type, settings)];
}

/** Anyone can create a directory at Microsoft. */
function flawsOfTenants(type: Type, { issuer, allowed_tenants: allowed }: ProviderSettings) {
  const path = '/allowed_tenants';
  if (type !== 'microsoft') {
    return allowed.length > 0 ? [{ path, message: `is not for the type ${type}` }] : [];
  }
  const isOpen = isSharedDirectory(issuer) && allowed.length === 0;
  return isOpen ? [{ path, message: 'is required with an issuer for all directories' }] : [];
}

/** Settings that decide who gets the client secret. */
export function sendSecretTo(
  settings: ProviderSettings & { readonly client_id: string },
): readonly unknown[] {
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = settings;
  const { client_id, team_id, key_id } = settings;
  const places = [issuer, authorization_endpoint, token_endpoint, userinfo_endpoint];
  return [...places, client_id, team_id, key_id];
}
