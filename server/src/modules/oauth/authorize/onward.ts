import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { deviceCookie } from '../../authentication/flows/index.ts';
import { codesView } from '../../branding/views/index.ts';
import { replaceLogin } from '../../tokens/sessions/index.ts';
import { continuePath } from './addresses.ts';
import type { EntryDependencies } from './entry.ts';
import { type Interaction, loggedIn } from './interaction.ts';
import { methodCookie } from './last-used.ts';
import type { Situation } from './situation.ts';
import type { Stepped } from './step-call.ts';
import { sealFor, type Visit } from './visit.ts';

type Kept = 'session' | 'method' | 'device';
type Onward = SeeOther<Kept> | Page<never, Kept>;

/** What was done, and how the login was started, if that is known. */
interface AfterStep extends Pick<Stepped, 'interaction' | 'codes' | 'deviceToken'> {
  readonly method: string | undefined;
}

/** After a step: the login is complete, or continues. */
export async function goOnAfter(
  dependencies: EntryDependencies,
  visit: Visit,
  { tenant, login: former }: Situation,
  { interaction, codes, method, deviceToken }: AfterStep,
  { value }: SessionCookie,
): Promise<Onward> {
  const { gate, clock, browserLogins } = dependencies;
  const login =
    value === undefined ? undefined : await browserLogins.find(tenant, value, null, clock.now());
  if (login && former) await replaceLogin(gate.into(tenant.id), former, login, visit.device.from);
  const next = login ? loggedIn(interaction, login.sessionId) : begunBy(interaction, method);
  const added: Cookie<Kept>[] = value === undefined ? [] : [sessionCookie(tenant, value)];
  if (login && method !== undefined) added.push(methodCookie(method));
  if (login && deviceToken !== undefined) added.push(deviceCookie(deviceToken));
  if (!codes) return goOn(dependencies, visit, next, added);
  const sealed = await sealFor(dependencies, visit, next);
  // They are shown only once, so no form leads to another page.
  const { here: _here, ...look } = visit.look;
  const html = codesView({ look, codes, continueAt: continuePath(tenant, sealed) });
  return new Page(html, { cookies: added });
}

/** A second factor or a new password may follow. */
function begunBy(interaction: Interaction, method: string | undefined): Interaction {
  const { flow } = interaction;
  return flow && method !== undefined ? { ...interaction, flow: { ...flow, method } } : interaction;
}

export async function goOn(
  dependencies: EntryDependencies,
  visit: Visit,
  interaction: Interaction,
  cookies: readonly Cookie<Kept>[] = [],
): Promise<SeeOther<Kept>> {
  const sealed = await sealFor(dependencies, visit, interaction);
  return new SeeOther(continuePath(visit.tenant, sealed), cookies);
}

function sessionCookie({ config }: Tenant, value: string) {
  return { name: 'session', value, maxAgeSeconds: config.browser_session_ttl } as const;
}
