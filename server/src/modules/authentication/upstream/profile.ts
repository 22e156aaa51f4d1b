import type { TenantId } from '@keywright/contract/ids';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson } from '../../../platform/egress/json.ts';
import { CALL_LIMITS } from './metadata.ts';
import type { ProviderSettings } from './provider.ts';
import { UpstreamRefused } from './refused.ts';

/** A user as a provider without ID tokens describes them, in the claims of OpenID Connect. */
export interface Profile {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

interface Read {
  readonly egress: Egress;
  readonly tenantId: TenantId;
  readonly accessToken: string;
}

type Located = Pick<ProviderSettings, 'userinfo_endpoint' | 'subject_claim'>;

type Json = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255;

/** @throws UpstreamRefused */
export async function readProfile(
  read: Read,
  { userinfo_endpoint: url, subject_claim: claim }: Located,
): Promise<Profile> {
  const claims = objectOf(await call(read, url ?? ''));
  return { subject: subjectOf(claims[claim ?? 'sub']), claims };
}

/** Addresses are those of a separate list: the profile shows a public one, which may be anything. */
export async function readGithubProfile(read: Read, api: string): Promise<Profile> {
  const { id } = objectOf(await call(read, `${api}/user`));
  const emails = await call(read, `${api}/user/emails`);
  const all: readonly unknown[] = Array.isArray(emails) ? emails : [];
  const primary = all.map(objectOf).find((one) => one['primary'] === true);
  const claims = { email: primary?.['email'], email_verified: primary?.['verified'] === true };
  return { subject: subjectOf(id), claims };
}

/** An own server has its API below its address. */
export function githubApi(issuer: string): string {
  return issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
}

async function call({ egress, tenantId, accessToken }: Read, url: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await getJson(egress, { url, headers, onBehalfOf: tenantId, ...CALL_LIMITS });
  if (answer.outcome !== 'answered') throw new UpstreamRefused(`profile_${answer.reason}`);
  return answer.value;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** Numbers beyond what JSON keeps exactly are refused: two users could become one. */
function subjectOf(value: unknown): string {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_SUBJECT) {
    throw new UpstreamRefused('profile_subject');
  }
  return text;
}
