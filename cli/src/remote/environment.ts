export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables of remote commands, with their descriptions. The service ignores them. */
export const REMOTE_VARIABLES = {
  KEYWRIGHT_URL:
    'URL of the service, such as `https://id.example.com`. It can include the path `/t/` followed by a tenant ID. Requires a token or an API key.',
  KEYWRIGHT_TENANT:
    'With `KEYWRIGHT_URL` or `--url`: the ID of the tenant, such as `org_acme`. Default: the tenant of the host.',
  KEYWRIGHT_TOKEN: 'An access token for the service at `KEYWRIGHT_URL` or `--url`.',
  KEYWRIGHT_API_KEY: 'An API key for the same service, instead of a token.',
  KEYWRIGHT_PROFILE:
    'Name of the profile that commands use. Default: `default`. It cannot be combined with `KEYWRIGHT_URL`.',
} as const;

/** Returns the value of a variable; an empty value counts as unset. */
export function setting(
  environment: Environment,
  name: keyof typeof REMOTE_VARIABLES,
): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
