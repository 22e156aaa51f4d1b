// A profile is a service and a credential, stored in a file that only its owner can read.

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandError, UsageError } from '../command.ts';
import type { Environment } from './environment.ts';

/** The tokens of a login, or an existing token or API key. */
export type Credential =
  | {
      readonly kind: 'login';
      readonly identifier: string;
      readonly access_token: string;
      readonly refresh_token: string;
      readonly device_token?: string;
    }
  | { readonly kind: 'token' | 'api-key'; readonly token: string };

export interface Profile {
  readonly url: string;
  readonly tenant?: string;
  /** The id of a user or an agent. */
  readonly subject: string;
  readonly credential: Credential;
}

export const DEFAULT_PROFILE = 'default';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const EXTENSION = '.json';
/** The permission bits of group and others. */
const NON_OWNER_BITS = 0o077;
/** A token has at most 8 KiB. */
const MAX_BYTES = 64 * 1024;

/** @throws UsageError if the name is not safe as a file name */
export function requireProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    'Expected the name of a profile to be 1 to 64 lower-case letters, digits, dashes and underscores, ' +
      'such as production.',
  );
}

/** The folder of profiles (XDG Base Directory Specification). */
function folderOf(environment: Environment): string {
  const configured = environment['XDG_CONFIG_HOME'] ?? '';
  const home = environment['HOME'] ?? homedir();
  return join(isAbsolute(configured) ? configured : join(home, '.config'), 'keywright');
}

function fileOf(environment: Environment, name: string): string {
  return join(folderOf(environment), `${requireProfileName(name)}${EXTENSION}`);
}

/** The names of all profiles, sorted. */
export async function listProfiles(environment: Environment): Promise<string[]> {
  const folder = folderOf(environment);
  if (!(await requirePrivate(folder))) return [];
  const names = (await fs.readdir(folder))
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length));
  return names.filter((name) => NAME.test(name)).toSorted();
}

/** @throws CommandError if other users can read the profile, or if it is damaged */
export async function findProfile(
  environment: Environment,
  name: string,
): Promise<Profile | undefined> {
  const path = fileOf(environment, name);
  if (!(await requirePrivate(folderOf(environment))) || !(await requirePrivate(path))) {
    return undefined;
  }
  const profile = parse(await fs.readFile(path, 'utf8'));
  if (profile) return profile;
  throw new CommandError(
    'PROFILE_UNREADABLE',
    `The profile ${name} in ${path} is damaged. Sign in again: keywright login --profile ${name} --url …`,
  );
}

/** Replaces a profile atomically. */
export async function writeProfile(
  environment: Environment,
  name: string,
  profile: Profile,
): Promise<void> {
  const path = fileOf(environment, name);
  const folder = folderOf(environment);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await requirePrivate(folder);
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await fs.writeFile(draft, `${JSON.stringify(profile, undefined, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    await fs.rename(draft, path);
  } finally {
    await fs.rm(draft, { force: true });
  }
}

export async function removeProfile(environment: Environment, name: string): Promise<void> {
  await fs.rm(fileOf(environment, name), { force: true });
}

/** Whether the path exists. @throws CommandError if other users have access to it */
async function requirePrivate(path: string): Promise<boolean> {
  let stats;
  try {
    stats = await fs.stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if (stats.isFile() && stats.size > MAX_BYTES) {
    throw new CommandError('PROFILE_UNREADABLE', `${path} is too large to be a profile.`);
  }
  // Windows has no equivalent owners and permission bits.
  if (process.getuid === undefined) return true;
  if (stats.uid !== process.getuid()) {
    throw new CommandError('PROFILE_UNSAFE', `${path} belongs to another user. Nothing was read.`);
  }
  if ((stats.mode & NON_OWNER_BITS) === 0) return true;
  const mode = stats.isDirectory() ? '700' : '600';
  throw new CommandError(
    'PROFILE_UNSAFE',
    `${path} is accessible to other users, but holds credentials. Nothing was read. ` +
      `To fix it: chmod ${mode} '${path}'. If other users could have read it, sign out and sign in again.`,
  );
}

function parse(text: string): Profile | undefined {
  try {
    const profile = JSON.parse(text) as Profile;
    const { url, subject, tenant, credential } = profile;
    const texts = [url, subject, tenant ?? '', ...Object.values(credential)];
    const hasToken = 'token' in credential || 'refresh_token' in credential;
    return hasToken && texts.every((value) => typeof value === 'string') ? profile : undefined;
  } catch {
    return undefined;
  }
}
