import { AppError, type Fail } from '@keywright/contract/errors';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import type { JourneyDependencies } from './dependencies.ts';
import type { Problem } from './problems.ts';
import { render } from './render.ts';
import type { Situation } from './situation.ts';
import { carrying, type Visit, sealFor } from './visit.ts';

/** What the user typed last, and what was wrong with it. */
interface Told {
  readonly identifier?: string | undefined;
  readonly problem?: Html | string;
}

export async function pageFor(
  { flows }: Pick<JourneyDependencies, 'flows'>,
  { tenant, request, token, look, cookies }: Visit,
  situation: Situation,
  told: Told = {},
): Promise<Html> {
  const { flow: own } = situation.interaction;
  const flow = own && (await findFlow(flows, tenant, own));
  const page = render(situation, {
    ...told,
    flow,
    carried: { request, token, look },
    lastUsed: cookies.method,
  });
  if (!page) throw new Error('There is no page for this.');
  return page;
}

/** The same page, with what was wrong. */
export async function refuse<Code extends Problem['code']>(
  dependencies: JourneyDependencies,
  visit: Visit,
  situation: Situation,
  problem: { readonly code: Code; readonly text: Html | string },
  identifier?: string,
): Promise<Page<Code>> {
  const { interaction } = situation;
  const request = await sealFor(dependencies, visit, interaction);
  const told = { identifier, problem: problem.text };
  const html = await pageFor(dependencies, carrying(visit, request), situation, told);
  return new Page(html, { refusal: problem.code });
}

/** Undefined if it has ended: then the login starts again. */
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
