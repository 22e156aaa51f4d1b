import { AppError, type Fail } from '@keywright/contract/errors';
import { Page, type SeeOther } from '../../../platform/http/replies.ts';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import { arrive } from './arrive.ts';
import type { JourneyDependencies } from './dependencies.ts';
import { connectDevice, refuseDevice } from './device.ts';
import type { Interaction } from './interaction.ts';
import { methodAfter } from './last-used.ts';
import { leaveView } from '../../branding/views/index.ts';
import { departureOf, issueCode, leave } from './leave.ts';
import { goOn, goOnAfter } from './onward.ts';
import { isOfOwnPages } from './own-login.ts';
import { pageFor, refuse } from './page-for.ts';
import { type Problem, problemOf } from './problems.ts';
import type { Fields } from './step-call.ts';
import { turnTo } from './turns.ts';
import { type Visit, sealFor } from './visit.ts';

type Refuse = Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>;
export type Reply<Code extends Problem['code'] | 'FORM_TOO_OLD' = never> =
  | SeeOther<'session' | 'flow' | 'method' | 'device'>
  | Page<Code, 'session' | 'flow' | 'method' | 'device'>;

/** The page of the next step, or the redirect to the client. */
export async function show(
  dependencies: JourneyDependencies,
  from: Visit,
  fail: Refuse,
): Promise<Page<'FORM_TOO_OLD'>> {
  const arrived = await arrive(dependencies, from, fail);
  if (arrived instanceof Page) return arrived;
  const { situation, visit } = arrived;
  const { outcome, interaction, login } = situation;
  const { tenant, device } = visit;
  const { texts } = visit.look;
  const { request } = interaction;
  if (outcome.kind === 'error') {
    if (request.device)
      return refuseDevice(dependencies, situation, request.device, visit, 'refused');
    return leave(dependencies, tenant, departureOf(situation, outcome), texts);
  }
  if (outcome.kind === 'granted' && login) {
    const asking = request.device;
    if (asking) return connectDevice(dependencies, situation, { login, device: asking }, visit);
    if (isOfOwnPages(request)) return new Page(leaveView(new URL(request.redirectUri), texts));
    const answer = await issueCode(dependencies, situation, login, device.from);
    return leave(dependencies, tenant, departureOf(situation, answer), texts);
  }
  return new Page(await pageFor(dependencies, visit, situation));
}

/** The link of a message continues this request, in this browser. */
async function keepForLink(
  dependencies: JourneyDependencies,
  visit: Visit,
  interaction: Interaction,
): Promise<void> {
  const { flow } = interaction;
  if (!flow) return;
  const sealed = await sealFor(dependencies, visit, interaction);
  await dependencies.flows.keepPage(visit.tenant, flow, sealed);
}

const DENIED = { error: 'access_denied' } as const;

/** Handles a form. Errors are shown on the same page. */
export async function submit(
  dependencies: JourneyDependencies,
  from: Visit,
  fields: Fields,
  fail: Refuse,
): Promise<Reply<Problem['code'] | 'FORM_TOO_OLD'>> {
  const arrived = await arrive(dependencies, from, fail);
  if (arrived instanceof Page) return arrived;
  const { situation, visit } = arrived;
  const { tenant, interaction } = situation;
  const { texts } = visit.look;
  if (fields.action === 'deny') {
    const { device: asking } = interaction.request;
    if (asking) return refuseDevice(dependencies, situation, asking, visit, 'denied');
    return leave(dependencies, tenant, departureOf(situation, DENIED), texts);
  }
  const turned = await turnTo(dependencies, situation, fields, visit.device);
  if (turned) return goOn(dependencies, visit, turned);
  const cookie = new SessionCookie();
  const device = { ...visit.device, cookie };
  // A flow that a failed step has started is kept.
  let reached = interaction;
  try {
    const locale = preferredLocale(visit.wishes);
    const call = { tenant, interaction, fields, device, locale };
    const shown = await dependencies.factorPages(call, visit);
    if (shown) return new Page(shown);
    const step = dependencies.steps.get(fields.action) ?? fail('REQUEST_INVALID');
    const stepped = await step(call);
    reached = stepped.interaction;
    if (stepped.refused) throw stepped.refused;
    if (stepped.isSent) await keepForLink(dependencies, visit, reached);
    const method = methodAfter(reached, fields);
    return await goOnAfter(dependencies, visit, situation, { ...stepped, method }, cookie);
  } catch (error) {
    const problem = error instanceof AppError ? problemOf(error, texts) : undefined;
    if (problem === undefined) throw error;
    const next = { ...situation, interaction: reached };
    return refuse(dependencies, visit, next, problem, fields.identifier);
  }
}
