// What an application needs to log in its users, with the values of one client: the examples of the guide, shortened.
// They never contain a secret, which comes from the environment.

import { device, native } from './device.ts';
import { nextjs, spring } from './frameworks.ts';
import { spa } from './page.ts';
import { express, openid } from './server.ts';
import { type Client, DEVICE_GRANT, type Template } from './values.ts';

const TEMPLATES = { express, nextjs, spring, openid, spa, native, device };
type Framework = keyof typeof TEMPLATES;
const FRAMEWORKS = Object.keys(TEMPLATES) as Framework[];

export interface Snippet {
  readonly id: Framework;
  /** Whether the snippet fits this kind of client. */
  readonly isFitting: boolean;
  /** Names of the packages to install first. */
  readonly packages: string;
  readonly text: string;
  /** The redirect URI, if it is not registered. */
  readonly unregistered: string | undefined;
}

/** Returns the snippets. Those that fit the kind of the client come first. */
export function snippetsOf(client: Client, issuer: string): Snippet[] {
  const fitting = fittingFor(client);
  const others = FRAMEWORKS.filter((id) => !fitting.includes(id));
  return [...fitting, ...others].map((id) => {
    const { packages, text, path, returns = true }: Template = TEMPLATES[id];
    const { uri, isRegistered } = redirectFor(client, path);
    return {
      id,
      isFitting: fitting.includes(id),
      packages,
      text: text({ client, issuer, uri, scope: client.scopes.join(' ') }),
      unregistered: returns && !isRegistered ? uri : undefined,
    };
  });
}

function fittingFor({ kind, grant_types: grants }: Client): readonly Framework[] {
  const devices: readonly Framework[] = grants.includes(DEVICE_GRANT) ? ['device'] : [];
  if (!grants.includes('authorization_code')) return devices;
  if (kind === 'spa') return ['spa'];
  if (kind === 'native') return ['native', ...devices];
  return ['express', 'nextjs', 'spring', 'openid', ...devices];
}

/** @param path that a framework requires */
function redirectFor({ redirect_uris: registered, kind }: Client, path: string | undefined) {
  const found = registered.find((uri) => path === undefined || uri.endsWith(path));
  if (found !== undefined) return { uri: found, isRegistered: true };
  const web = registered.find((uri) => /^https?:/.test(uri));
  const usual = kind === 'native' ? 'http://127.0.0.1/callback' : 'http://localhost:3000/callback';
  const uri = path === undefined ? usual : `${new URL(web ?? usual).origin}${path}`;
  return { uri, isRegistered: false };
}
