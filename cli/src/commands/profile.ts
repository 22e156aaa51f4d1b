import { remote } from '../command.ts';
import { columns, plain } from '../layout.ts';
import { onTarget } from '../remote/connection.ts';
import { findProfile, listProfiles } from '../remote/profiles.ts';
import { renderRecord } from '../remote/render.ts';
import { TARGET_OPTIONS } from '../remote/target.ts';

interface Row {
  readonly profile: string;
  readonly url: string;
  readonly tenant: string | null;
  readonly subject: string;
  readonly kind: string;
}

export const whoami = remote<Readonly<Record<string, unknown>>>({
  name: 'whoami',
  summary: 'show the user or agent you are authenticated as',
  details: 'An API key authenticates an agent. Calls GET /api/sso/v1/me.',
  options: TARGET_OPTIONS,
  examples: ['keywright whoami', 'keywright whoami --profile acme --json'],
  perform: (options, context) =>
    onTarget(options, context, async ({ client, call }) => ({ ...(await client.me.get(call)) })),
  render: renderRecord,
});

export const profileList = remote<{ readonly profiles: readonly Row[] }>({
  name: 'profile list',
  summary: 'list the profiles that "keywright login" stored',
  details: 'Shows the service and the subject of each profile, without tokens and keys.',
  options: {},
  examples: ['keywright profile list'],
  perform: async (_options, { environment }) => {
    const profiles: Row[] = [];
    for (const name of await listProfiles(environment)) {
      const found = await findProfile(environment, name);
      // It was removed concurrently.
      if (!found) continue;
      const { url, tenant = null, subject, credential } = found;
      profiles.push({ profile: name, url, tenant, subject, kind: credential.kind });
    }
    return { profiles };
  },
  render: ({ profiles }) => {
    if (profiles.length === 0) return 'There are no profiles. Create one: keywright login --url …';
    const rows = profiles.map(({ profile, url, tenant, subject, kind }) =>
      [profile, url, tenant ?? '-', subject, kind].map(plain),
    );
    return columns([['PROFILE', 'URL', 'TENANT', 'SUBJECT', 'KIND'], ...rows]);
  },
});
