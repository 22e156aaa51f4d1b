export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables of remote commands. The service ignores them. */
const REMOTE_VARIABLES = [
  'KEYWRIGHT_URL',
  'KEYWRIGHT_TENANT',
  'KEYWRIGHT_PROFILE',
  'KEYWRIGHT_TOKEN',
  'KEYWRIGHT_API_KEY',
] as const;

/** Returns the value of a variable; an empty value counts as unset. */
export function setting(
  environment: Environment,
  name: (typeof REMOTE_VARIABLES)[number],
): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
