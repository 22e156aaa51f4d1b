import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { codesView } from '../../pages/hosted/index.ts';
import { replaceLogin } from '../../tokens/sessions/index.ts';
import { continuePath } from './addresses.ts';
import type { EntryDependencies } from './entry.ts';
import { type Interaction, loggedIn } from './interaction.ts';
import type { Situation } from './situation.ts';
import type { Stepped } from './step-call.ts';
import type { Visit } from './visit.ts';

type Onward = SeeOther<'session'> | Page<never, 'session'>;

/** After a step: the login is complete, or goes on. */
export async function goOnAfter(
  dependencies: EntryDependencies,
  visit: Visit,
  { tenant, login: former }: Situation,
  { interaction, codes }: Pick<Stepped, 'interaction' | 'codes'>,
  { value }: SessionCookie,
): Promise<Onward> {
  const { gate, clock, browserLogins } = dependencies;
  const login =
    value === undefined ? undefined : await browserLogins.find(tenant, value, null, clock.now());
  if (login && former) await replaceLogin(gate.into(tenant.id), former, login, visit.device.from);
  const next = login ? loggedIn(interaction, login.sessionId) : interaction;
  const added = value === undefined ? [] : [sessionCookie(tenant, value)];
  if (!codes) return goOn(dependencies, visit, next, added);
  const sealed = await sealFor(dependencies, visit, next);
  // They are shown once: no form leads to another page.
  const { here: _here, ...look } = visit.look;
  const html = codesView({ look, codes, continueAt: continuePath(tenant, sealed) });
  return new Page(html, { cookies: added });
}

export async function goOn(
  dependencies: EntryDependencies,
  visit: Visit,
  interaction: Interaction,
  cookies: ReturnType<typeof sessionCookie>[] = [],
): Promise<SeeOther<'session'>> {
  const sealed = await sealFor(dependencies, visit, interaction);
  return new SeeOther(continuePath(visit.tenant, sealed), cookies);
}

/** As the browser of this visit carries it on. */
export function sealFor(
  { interactions, clock }: Pick<EntryDependencies, 'interactions' | 'clock'>,
  { tenant, cookies: { flow } }: Visit,
  interaction: Interaction,
): Promise<string> {
  if (flow === undefined) throw new Error('The request was opened without its cookie.');
  return interactions.seal(tenant.id, flow, interaction, clock.now());
}

function sessionCookie({ config }: Tenant, value: string) {
  return { name: 'session', value, maxAgeSeconds: config.browser_session_ttl } as const;
}
