// Decides which sign-in methods work, from the settings and what they need.

import type { Tenant } from '@keywright/sdk';

type Config = Tenant['config'];
type Method = Config['allowed_login_methods'][number];

/** The methods that people sign in with. */
export const SIGN_IN_METHODS = ['password', 'email', 'sms', 'passkey', 'providers'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export type CardId = SignInMethod | 'mfa' | 'signUp' | 'accounts';

/** The settings of each card, besides its switch. */
export const FIELDS_OF_CARDS: Readonly<Record<CardId, readonly string[]>> = {
  password: [
    'password_min_length',
    'password_require_special',
    'breached_passwords',
    'breached_at_login',
    'import_expires_at',
  ],
  email: ['magic_link_url'],
  sms: ['sms_countries', 'sms_hourly_limit', 'sms_daily_limit', 'sms_country_hourly_limit'],
  passkey: ['passkey_rp_id', 'passkey_origins', 'passkey_attestation', 'passkey_aaguids'],
  providers: ['return_urls'],
  mfa: ['require_mfa_role', 'mfa_methods'],
  signUp: ['magic_link_registration'],
  accounts: [
    'require_verified_identifier',
    'step_up_max_age',
    'notify_new_device',
    'allow_account_deletion',
  ],
};

/** Where what a method needs is set up. */
export interface Need {
  readonly what: 'email' | 'sms' | 'countries' | 'emailMethod' | 'passkey' | 'provider';
  /** The screen, unless it is in the settings of the method. */
  readonly to?: string;
  readonly tab?: string;
}

export interface MethodState {
  readonly isOn: boolean;
  /** Undefined: the method can work. */
  readonly need: Need | undefined;
}

type Settings = Pick<Tenant, 'issuer' | 'config'>;
type Messaging = Pick<Tenant, 'messaging' | 'email_delivery'>;

/** Returns the state of each method. @param providers how many identity providers are enabled */
export function methodStates(
  { issuer, config, messaging, email_delivery: delivery }: Settings & Messaging,
  providers: number,
): Readonly<Record<SignInMethod, MethodState>> {
  const allows = (method: Method) => config.allowed_login_methods.includes(method);
  return {
    password: { isOn: allows('password'), need: undefined },
    email: {
      isOn: allows('magic_link'),
      need: delivery === 'none' ? { what: 'email', to: '/messages', tab: 'server' } : undefined,
    },
    sms: {
      isOn: allows('magic_link') && config.sms_countries.length > 0,
      need: needOfSms(config, messaging.sms?.provider !== undefined),
    },
    passkey: {
      isOn: allows('passkey'),
      need: canHavePasskeys({ issuer, config }) ? undefined : { what: 'passkey' },
    },
    providers: {
      isOn: allows('oauth'),
      need: providers > 0 ? undefined : { what: 'provider', to: '/providers' },
    },
  };
}

/** Codes by SMS and by email are one method of the API, which needs countries for SMS. */
function needOfSms(
  { sms_countries: countries, allowed_login_methods: methods }: Config,
  hasSmsProvider: boolean,
): Need | undefined {
  if (countries.length === 0 && !hasSmsProvider)
    return { what: 'sms', to: '/messages', tab: 'sms' };
  if (!methods.includes('magic_link')) return { what: 'emailMethod' };
  return countries.length === 0 ? { what: 'countries' } : undefined;
}

/** Browsers offer passkeys to secure pages of a domain (WebAuthn Level 3 §5.1.3). */
function canHavePasskeys({ issuer, config }: Settings): boolean {
  const { protocol, hostname } = new URL(issuer);
  const { passkey_rp_id: domain, passkey_origins: others } = config;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isSecure = protocol === 'https:' || isLocal || others.length > 0;
  return isSecure && !/^\[|^[0-9.]+$/.test(domain ?? hostname);
}

/** Returns the change that turns a method on or off. */
export function changeOf(config: Config, method: SignInMethod, isOn: boolean): Partial<Config> {
  if (method === 'sms') return { sms_countries: isOn ? config.sms_countries : [] };
  const name = ({ email: 'magic_link', providers: 'oauth' } as const)[method as string] ?? method;
  const others = config.allowed_login_methods.filter((other) => other !== name);
  return { allowed_login_methods: isOn ? [...others, name as Method] : others };
}

/** Whether no other method works, so that no one could sign in without this one. */
export function isLastMethod(
  states: Readonly<Record<SignInMethod, MethodState>>,
  method: SignInMethod,
): boolean {
  return SIGN_IN_METHODS.every((other) => {
    const { isOn, need } = states[other];
    // Without email codes, there are no codes by SMS.
    const isGone = other === method || (method === 'email' && other === 'sms');
    return isGone || !isOn || need !== undefined;
  });
}

/** The authentication methods that each sign-in method reports (RFC 8176). */
const AMR: Readonly<Record<SignInMethod, string>> = {
  password: 'pwd',
  email: 'email',
  sms: 'sms',
  passkey: 'pop',
  providers: 'fed',
};

/** Whether the method opened one of these sessions. */
export function isMethodOf(
  method: SignInMethod,
  sessions: readonly { readonly amr: readonly string[] }[],
): boolean {
  return sessions.some(({ amr }) => amr.includes(AMR[method]));
}
