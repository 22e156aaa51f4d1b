import type { LoginAnswer } from '../../../sdk/src/generated/records.ts';
import { CommandError, type Context, type ParsedOptions, remote, UsageError } from '../command.ts';
import { plain } from '../layout.ts';
import { readAddress, type ServiceAddress } from '../remote/address.ts';
import { UnexpectedAnswerError } from '../remote/bounded-fetch.ts';
import { onService } from '../remote/connection.ts';
import { setting } from '../remote/environment.ts';
import {
  type Credential,
  DEFAULT_PROFILE,
  findProfile,
  type Profile,
  removeProfile,
  requireProfileName,
  writeProfile,
} from '../remote/profiles.ts';
import { requireHeader, TARGET_OPTIONS } from '../remote/target.ts';
import { promptSecret, readSecret } from '../secret-input.ts';

interface LoggedIn {
  readonly profile: string;
  readonly url: string;
  readonly subject: string;
  readonly tenant_id: string;
}

const API_KEY_PREFIX = 'svc_sk_';
const { profile, timeout } = TARGET_OPTIONS;

export const login = remote<LoggedIn>({
  name: 'login',
  summary: 'sign in to a service, and store the login as a profile',
  details:
    'With --identifier, signs in with a password: prompts for it without echo, or reads it with ' +
    '--secret-stdin. Tokens are refreshed automatically. With --token-stdin, stores an existing access ' +
    'token or API key. Secrets are never arguments, because other users of the machine can read ' +
    'arguments. The profile is a file in $XDG_CONFIG_HOME/keywright (or ~/.config/keywright) that only ' +
    'you can read. To sign in to an existing profile again, omit --url.',
  options: {
    url: { value: 'URL', help: 'URL of the service, or issuer of a tenant (…/t/org_acme)' },
    tenant: { value: 'ID', help: 'such as org_acme; default: the tenant of the host' },
    identifier: { value: 'ID', help: 'email address or phone number' },
    'secret-stdin': { help: 'read the password from standard input' },
    'token-stdin': { help: 'read an access token or an API key from standard input' },
    profile: {
      ...profile,
      help: 'name of the profile; default: KEYWRIGHT_PROFILE, or else "default"',
    },
    timeout,
  },
  examples: [
    'keywright login --url https://id.example.com --identifier you@example.com',
    'keywright login --profile acme --url https://id.example.com/t/org_acme --identifier you@acme.example',
    'keywright login --profile ci --url https://id.example.com --tenant org_acme --token-stdin < key.txt',
  ],
  perform: async (options, context) => {
    const { environment } = context;
    const name = profileNamed(options, context);
    const before = await findProfile(environment, name);
    const address = addressFor(options, context, before);
    const result = options.has('token-stdin')
      ? await storeToken(address, options, context)
      : await logIn(address, before, options, context);
    const { tenantId, ...stored } = result;
    await writeProfile(environment, name, {
      url: address.url,
      ...(address.tenant === undefined ? {} : { tenant: address.tenant }),
      ...stored,
    });
    return { profile: name, url: address.url, subject: stored.subject, tenant_id: tenantId };
  },
  render: ({ profile: name, url, subject, tenant_id: tenant }) =>
    plain(`Signed in to ${url} as ${subject} of ${tenant}. Stored as the profile ${name}.`),
});

export const logout = remote<{ readonly profile: string; readonly ended: boolean }>({
  name: 'logout',
  summary: 'end the session of a profile and remove the profile',
  details:
    'An API key or a token that was stored with --token-stdin remains valid until it expires or is ' +
    'revoked.',
  options: { profile, timeout },
  examples: ['keywright logout', 'keywright logout --profile acme'],
  perform: async (options, context) => {
    const name = profileNamed(options, context);
    const found = await findProfile(context.environment, name);
    if (!found) throw new CommandError('NOT_FOUND', `Profile ${name} does not exist.`);
    await removeProfile(context.environment, name);
    const { credential } = found;
    if (credential.kind !== 'login') return { profile: name, ended: false };
    await endSession(name, found, credential, options);
    return { profile: name, ended: true };
  },
  render: ({ profile: name, ended }) =>
    ended
      ? `Ended the session and removed the profile ${name}.`
      : `Removed the profile ${name}. Its credential remains valid until it expires or is revoked.`,
});

function profileNamed(options: ParsedOptions, { environment }: Context): string {
  const name = options.get('profile') ?? setting(environment, 'KEYWRIGHT_PROFILE');
  return requireProfileName(name ?? DEFAULT_PROFILE);
}

function addressFor(
  options: ParsedOptions,
  { environment }: Context,
  before: Profile | undefined,
): ServiceAddress {
  const typed = options.get('url');
  const tenant = options.get('tenant');
  if (typed !== undefined) return readAddress('--url', typed, tenant);
  if (before) return readAddress('the url of the profile', before.url, tenant ?? before.tenant);
  const set = setting(environment, 'KEYWRIGHT_URL');
  const where = tenant ?? setting(environment, 'KEYWRIGHT_TENANT');
  if (set !== undefined) return readAddress('KEYWRIGHT_URL', set, where);
  throw new UsageError('"login" needs --url URL.');
}

type LoginResult = Pick<Profile, 'subject' | 'credential'> & { readonly tenantId: string };

async function storeToken(
  address: ServiceAddress,
  options: ParsedOptions,
  { input, printError }: Context,
): Promise<LoginResult> {
  if (options.has('identifier') || options.has('secret-stdin')) {
    throw new UsageError('--token-stdin cannot be combined with --identifier or --secret-stdin.');
  }
  const entered = input.isTTY
    ? await promptSecret('Token or API key', 'token-stdin', input, printError)
    : await readSecret('token-stdin', input);
  const token = requireHeader('--token-stdin', entered);
  const me = await onService(address, token, options, async ({ client, call }) =>
    requireTexts(await client.me.get(call), ['id', 'tenant_id']),
  );
  const kind = token.startsWith(API_KEY_PREFIX) ? 'api-key' : 'token';
  return { subject: me.id, tenantId: me.tenant_id, credential: { kind, token } };
}

async function logIn(
  address: ServiceAddress,
  before: Profile | undefined,
  options: ParsedOptions,
  { input, printError }: Context,
): Promise<LoginResult> {
  const previous = loginOf(before, address);
  const identifier = options.get('identifier') ?? previous?.identifier;
  if (identifier === undefined) {
    throw new UsageError('"login" needs --identifier ID, or --token-stdin.');
  }
  const secret = options.has('secret-stdin')
    ? await readSecret('secret-stdin', input)
    : await promptSecret(`Password for ${plain(identifier)}`, 'secret-stdin', input, printError);
  // The device token lets this device sign in even while the account is throttled (ADR 31).
  const device = previous?.identifier === identifier ? previous.device_token : undefined;
  const body = { identifier, secret, ...(device === undefined ? {} : { device_token: device }) };
  const answer = await onService(address, undefined, options, async ({ client, call }) => {
    const response = await client.auth.login(body, call);
    requireTexts(response.user, ['id', 'tenant_id']);
    return requireTexts(response, ['access_token', 'refresh_token', 'device_token']);
  });
  return {
    subject: answer.user.id,
    tenantId: answer.user.tenant_id,
    credential: credentialOf(identifier, answer),
  };
}

/** @throws UnexpectedAnswerError if a field is missing */
function requireTexts<Answer>(answer: Answer, fields: readonly (keyof Answer & string)[]): Answer {
  const record = Object(answer) as Readonly<Record<string, unknown>>;
  if (fields.every((field) => typeof record[field] === 'string')) return answer;
  throw new UnexpectedAnswerError();
}

/** The previous login to the same service and tenant. */
function loginOf(before: Profile | undefined, { url, tenant }: ServiceAddress) {
  if (before?.credential.kind !== 'login') return undefined;
  return before.url === url && before.tenant === tenant ? before.credential : undefined;
}

function credentialOf(identifier: string, answer: LoginAnswer): Credential {
  const { access_token, refresh_token, device_token } = answer;
  return { kind: 'login', identifier, access_token, refresh_token, device_token };
}

async function endSession(
  name: string,
  { url, tenant }: Profile,
  credential: Extract<Credential, { readonly kind: 'login' }>,
  options: ParsedOptions,
): Promise<void> {
  try {
    await onService({ url, tenant }, credential, options, ({ client, call }) =>
      client.auth.logout(call),
    );
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // The session has already ended.
    if (error.facts['status'] === 401) return;
    throw new CommandError(
      error.code,
      `Removed the profile ${name}, but its session may still be open. ${error.message}`,
      error.exitCode,
      error.facts,
    );
  }
}
