import { AppError, type Fail } from '@keywright/contract/errors';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import { codesView } from '../../pages/hosted/index.ts';
import { findBrowserLogin, replaceLogin } from '../../tokens/sessions/index.ts';
import { continuePath } from './addresses.ts';
import type { FactorPages } from './factor-pages.ts';
import type { EntryDependencies } from './entry.ts';
import { type Interaction, loggedIn } from './interaction.ts';
import { issueCode, leave } from './leave.ts';
import { type Problem, problemOf } from './problems.ts';
import { render } from './render.ts';
import { type Situation, situate } from './situation.ts';
import type { Fields, Stepped } from './step-call.ts';
import type { createSteps } from './steps.ts';
import { turnTo } from './turns.ts';
import type { Visit } from './visit.ts';

export interface JourneyDependencies extends EntryDependencies {
  readonly flows: Flows;
  readonly steps: ReturnType<typeof createSteps>;
  readonly factorPages: FactorPages;
}

type Refuse = Fail<'FORM_TOO_OLD' | 'REQUEST_INVALID'>;
type Reply<Code extends Problem['code'] = never> =
  | SeeOther<'session' | 'flow'>
  | Page<Code, 'session' | 'flow'>;

/** The page for what is needed now, or the way back to the client. */
export async function show(
  dependencies: JourneyDependencies,
  visit: Visit,
  fail: Refuse,
): Promise<Page> {
  const situation = await arrive(dependencies, visit, fail);
  const { outcome, interaction, login } = situation;
  const { tenant, device } = visit;
  if (outcome.kind === 'error') return leave(tenant, interaction.request, outcome);
  if (outcome.kind === 'granted' && login) {
    const answer = await issueCode(dependencies, situation, login, device.from);
    return leave(tenant, interaction.request, answer);
  }
  return new Page(await pageFor(dependencies, visit, situation, {}));
}

/** What was done on a page. What was wrong with it is said on the same page. */
export async function submit(
  dependencies: JourneyDependencies,
  visit: Visit,
  fields: Fields,
  fail: Refuse,
): Promise<Reply<Problem['code']>> {
  const situation = await arrive(dependencies, visit, fail);
  const { tenant, interaction } = situation;
  if (fields.action === 'deny') {
    return leave(tenant, interaction.request, { error: 'access_denied' });
  }
  const turned = await turnTo(dependencies, situation, fields, visit.device);
  if (turned) return goOn(dependencies, visit, turned);
  const cookie = new SessionCookie();
  const device = { ...visit.device, cookie };
  try {
    const call = { tenant, interaction, fields, device };
    const shown = await dependencies.factorPages(call, visit);
    if (shown) return new Page(shown);
    const step = dependencies.steps.get(fields.action) ?? fail('REQUEST_INVALID');
    const stepped = await step(call);
    return await after(
      dependencies,
      visit,
      { ...situation, interaction: stepped.interaction },
      stepped,
      cookie,
    );
  } catch (error) {
    const problem = error instanceof AppError ? problemOf(error) : undefined;
    if (problem === undefined) throw error;
    const told = { identifier: fields.identifier, problem: problem.text };
    const html = await pageFor(dependencies, visit, situation, told);
    return new Page(html, { refusal: problem.code });
  }
}

/** After a step: the login is complete, or goes on. */
async function after(
  dependencies: JourneyDependencies,
  visit: Visit,
  { tenant, interaction, login: former }: Situation,
  { codes }: Stepped,
  cookie: SessionCookie,
): Promise<Reply> {
  const { gate, clock, interactions } = dependencies;
  const { value } = cookie;
  const data = gate.into(tenant.id);
  const login =
    value === undefined
      ? undefined
      : await findBrowserLogin(data, tenant, value, null, clock.now());
  if (login && former) await replaceLogin(data, former, login, visit.device.from);
  const next = login ? loggedIn(interaction, login.sessionId) : interaction;
  const added = value === undefined ? [] : [sessionCookie(tenant, value)];
  if (!codes) return goOn(dependencies, visit, next, added);
  const sealed = await interactions.seal(tenant.id, boundTo(visit), next, clock.now());
  const html = codesView({ codes, continueAt: continuePath(tenant, sealed) });
  return new Page(html, { cookies: added });
}

function sessionCookie({ config }: Tenant, value: string) {
  return { name: 'session', value, maxAgeSeconds: config.browser_session_ttl } as const;
}

async function goOn(
  { interactions, clock }: JourneyDependencies,
  visit: Visit,
  interaction: Interaction,
  cookies: ReturnType<typeof sessionCookie>[] = [],
): Promise<SeeOther<'session'>> {
  const { tenant } = visit;
  const sealed = await interactions.seal(tenant.id, boundTo(visit), interaction, clock.now());
  return new SeeOther(continuePath(tenant, sealed), cookies);
}

function boundTo({ cookies: { flow } }: Visit): string {
  if (flow === undefined) throw new Error('The request was opened without its cookie.');
  return flow;
}

/** @throws AppError FORM_TOO_OLD unless the request was made in this browser, a while ago at most */
async function arrive(
  dependencies: JourneyDependencies,
  { tenant, request, cookies }: Visit,
  fail: Refuse,
): Promise<Situation> {
  const { interactions, clock } = dependencies;
  const interaction =
    (await interactions.open(tenant.id, cookies.flow, request, clock.now())) ??
    fail('FORM_TOO_OLD');
  const situation = await situate(dependencies, tenant, interaction, cookies.session);
  return situation ?? fail('REQUEST_INVALID');
}

async function pageFor(
  { flows }: JourneyDependencies,
  { tenant, request, token }: Visit,
  situation: Situation,
  told: { readonly identifier?: string | undefined; readonly problem?: string },
): Promise<Html> {
  const { flow: own } = situation.interaction;
  const flow = own && (await findFlow(flows, tenant, own));
  const page = render(situation, { ...told, flow, carried: { request, token } });
  if (!page) throw new Error('There is no page for this.');
  return page;
}

/** Undefined if it has ended: then the login begins anew. */
async function findFlow(
  flows: Flows,
  tenant: Tenant,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<LoginFlow | undefined> {
  const gone: Fail<'FLOW_ENDED'> = (code) => {
    throw new AppError(code);
  };
  return flows.read(tenant, id, token, gone).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'FLOW_ENDED') return undefined;
    throw error;
  });
}
