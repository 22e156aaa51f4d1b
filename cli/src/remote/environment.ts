/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of remote commands. The service knows none of them, and is not given them. */
const OF_REMOTE_COMMANDS = [
  'KEYWRIGHT_URL',
  'KEYWRIGHT_TENANT',
  'KEYWRIGHT_PROFILE',
  'KEYWRIGHT_TOKEN',
  'KEYWRIGHT_API_KEY',
] as const;

/** The value of one of them; one that is empty counts as not set. */
export function setting(
  environment: Environment,
  name: (typeof OF_REMOTE_COMMANDS)[number],
): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}

/** The environment of what runs on this machine. */
export function withoutRemoteSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rest = { ...environment };
  for (const name of OF_REMOTE_COMMANDS) delete rest[name];
  return rest;
}
