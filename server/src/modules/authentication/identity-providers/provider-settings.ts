import type { FieldError } from '@keywright/contract/errors';
import type { IdentityProviderId, TenantId } from '@keywright/contract/ids';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { pathTo } from '@keywright/contract/route';
import { upstreamCallback } from '@keywright/contract/routes/upstream-logins';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';

/** A provider, as used by a login. */
export interface Provider {
  readonly id: IdentityProviderId;
  readonly tenantId: TenantId;
  readonly type: IdentityProviderRecord['type'];
  readonly name: string;
  readonly clientId: string;
  /** Sealed. */
  readonly clientSecret: Buffer | null;
  readonly settings: ProviderSettings;
  /** Increases with each change of settings that a login depends on. */
  readonly version: number;
}

/** The settings of a provider, as in its record. */
export type ProviderSettings = Pick<
  IdentityProviderRecord,
  | 'issuer'
  | 'scopes'
  | 'domains'
  | 'link'
  | 'trust_mfa'
  | 'allowed_tenants'
  | 'team_id'
  | 'key_id'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'userinfo_endpoint'
  | 'subject_claim'
>;

/**
 * Returns the settings that decide whom a subject identifies. An identity confirmed under other settings is never
 * linked. The client is not among them: no client of an honest issuer chooses its subjects.
 */
export function sourceOf(type: string, settings: Partial<ProviderSettings>): string {
  const { issuer, team_id, authorization_endpoint, token_endpoint, userinfo_endpoint } = settings;
  const endpoints = [authorization_endpoint, token_endpoint, userinfo_endpoint];
  return JSON.stringify([type, issuer, team_id, ...endpoints, settings.subject_claim]);
}

/** Whether a login returns an ID token to identify the user. Otherwise the profile identifies the user. */
export function issuesIdTokens(type: Provider['type']): boolean {
  return type !== 'github' && type !== 'oauth2';
}

type SecretOf = Pick<Provider, 'id' | 'tenantId'>;

export function sealClientSecret(dataKey: Buffer, of: SecretOf, secret: string): Buffer {
  return seal(dataKey, Buffer.from(secret), placeOf(of));
}

/** @returns undefined for a public client */
export function clientSecretOf(
  dataKey: Buffer,
  provider: SecretOf & Pick<Provider, 'clientSecret'>,
): string | undefined {
  const { clientSecret } = provider;
  return clientSecret === null
    ? undefined
    : unseal(dataKey, clientSecret, placeOf(provider)).toString('utf8');
}

function placeOf({ tenantId, id }: SecretOf): string {
  return `identity_providers/${tenantId}/${id}/client_secret`;
}

/** Each provider has its own URL, so that a response is never attributed to another provider (RFC 9700 §4.4.2). */
export function callbackUrlOf(baseUrl: string, { tenantId, id }: SecretOf): string {
  return `${baseUrl}${pathTo(upstreamCallback, { tenant_id: tenantId, provider_id: id })}`;
}

const SHARED = /\/(common|organizations|consumers)(?=\/|$)/;
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Claims = Readonly<Record<string, unknown>>;

/** Whether users of any directory can log in at the issuer. */
function isSharedDirectory(issuer: string): boolean {
  return SHARED.test(issuer);
}

/** The template that the metadata of such an issuer contains instead of an issuer. */
export function issuerTemplate(issuer: string): string {
  return issuer.replace(SHARED, '/{tenantid}');
}

/**
 * Returns the issuer of a token: that of the user's directory, which must be allowed.
 * @returns undefined for another directory
 */
export function issuerOfDirectory(
  { issuer, allowed_tenants: allowed }: { issuer: string; allowed_tenants: readonly string[] },
  { tid }: Claims,
): string | undefined {
  const isTenantId = typeof tid === 'string' && TENANT_ID.test(tid);
  const isAllowed = isTenantId && (allowed.length === 0 || allowed.includes(tid));
  if (!isAllowed || (isSharedDirectory(issuer) && allowed.length === 0)) return undefined;
  return isSharedDirectory(issuer) ? issuer.replace(SHARED, `/${tid}`) : issuer;
}

/** `sub` differs between applications. `oid` identifies a user of a directory in all applications. */
export function directorySubject({ tid, oid }: Claims): string | undefined {
  return typeof tid === 'string' && typeof oid === 'string' && oid !== '' && oid.length <= 64
    ? `${tid}.${oid}`
    : undefined;
}

/** Whether the directory has verified the domain of the address. Its administrators can give users any address. */
export function ownsDomain({ xms_edov: claim }: Claims): boolean {
  return claim === true || claim === 'true' || claim === 1 || claim === '1';
}

/** The reason why an issuer cannot be used; undefined if it can. */
function objectionToIssuer(
  egress: Pick<Egress, 'findObjection'>,
  issuer: string,
): string | undefined {
  const objection = egress.findObjection(issuer);
  if (objection) return `cannot be called. ${objection.detail}`;
  // OpenID Connect Discovery 1.0 §3 allows neither a query nor a fragment.
  return /[?#]/.test(issuer) ? 'must not have a query or a fragment' : undefined;
}

/** Fields that decide who can sign in, not whether a login works, so they need no test. */
const UNTESTED_FIELDS = ['name', 'domains', 'link', 'trust_mfa', 'is_active'];

/** Whether a login depends on one of the changed fields: on every field except those listed above. */
export function changesLogins(fields: readonly string[]): boolean {
  return fields.some((field) => !UNTESTED_FIELDS.includes(field));
}

/** Whether users would log in with untested settings. */
export function needsTest(
  before: { readonly is_active: boolean; readonly tested_at: Date | null },
  after: { readonly isActive: boolean; readonly changesLogins: boolean },
): boolean {
  if (!after.isActive) return false;
  return after.changesLogins || (!before.is_active && before.tested_at === null);
}

/** Whether users can only log in with an identity provider. Undefined is the default, which has other methods. */
export function needsProvider(methods: readonly string[] | undefined): boolean {
  return methods !== undefined && methods.every((method) => method === 'oauth');
}

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

/** Default settings by type, including the issuers of public services. */
const DEFAULTS: Readonly<Record<Type, Partial<ProviderSettings>>> = {
  oidc: {},
  google: { issuer: 'https://accounts.google.com' },
  microsoft: { issuer: 'https://login.microsoftonline.com/organizations/v2.0' },
  apple: { issuer: 'https://appleid.apple.com', scopes: ['email'] },
  github: { issuer: 'https://github.com', scopes: ['read:user', 'user:email'] },
  oauth2: { scopes: [], subject_claim: 'sub' },
};

/** Returns all settings of a provider of this type. */
export function settingsOf(type: Type, settings: Partial<ProviderSettings>): ProviderSettings {
  const all = { ...NONE, ...DEFAULTS[type], ...withoutUndefined(settings) };
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

function withoutUndefined(settings: Partial<ProviderSettings>): Partial<ProviderSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** The settings that only this type has, and requires. */
const SETTINGS_OF_TYPE: Readonly<Partial<Record<Type, readonly (keyof ProviderSettings)[]>>> = {
  apple: ['team_id', 'key_id'],
  oauth2: ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'subject_claim'],
};
/** Types of public services whose web applications must authenticate with a secret. */
const NEEDS_SECRET: readonly Type[] = ['google', 'microsoft', 'apple', 'github'];
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const;

/** The state of a provider after a change. */
interface State {
  readonly settings: ProviderSettings;
  readonly isActive: boolean;
  readonly hasSecret: boolean;
}

/** Returns the flaws in a provider's settings. Host names are not resolved here, but when they are called. */
export function flawsOf(
  egress: Pick<Egress, 'findObjection'>,
  type: Type,
  { settings, isActive, hasSecret }: State,
): FieldError[] {
  const ofType = SETTINGS_OF_TYPE[type] ?? [];
  const flaws = Object.values(SETTINGS_OF_TYPE)
    .flat()
    .flatMap((name): FieldError[] => {
      const isSet = settings[name] !== null;
      if (isSet === ofType.includes(name)) return [];
      const message = isSet
        ? `cannot be set for the type ${type}`
        : `is required for the type ${type}`;
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

/** Checks allowed directories, because anyone can create a directory at Microsoft. */
function flawsOfTenants(type: Type, { issuer, allowed_tenants: allowed }: ProviderSettings) {
  const path = '/allowed_tenants';
  if (type !== 'microsoft') {
    return allowed.length > 0 ? [{ path, message: `cannot be set for the type ${type}` }] : [];
  }
  const isOpen = isSharedDirectory(issuer) && allowed.length === 0;
  return isOpen ? [{ path, message: 'is required with an issuer for all directories' }] : [];
}

/** Returns the settings that decide where the client secret is sent. */
export function secretRecipientsOf(
  settings: ProviderSettings & { readonly client_id: string },
): readonly unknown[] {
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = settings;
  const { client_id, team_id, key_id } = settings;
  const endpoints = [issuer, authorization_endpoint, token_endpoint, userinfo_endpoint];
  return [...endpoints, client_id, team_id, key_id];
}
