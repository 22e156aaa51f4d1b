import { fail } from '@keywright/contract/errors';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Flows } from '../flows/index.ts';
import { type BeginDependencies, beginLogin } from './begin.ts';

interface Asked {
  readonly flow: { readonly id: string; readonly token: string };
  /** ID of the provider. */
  readonly provider: string;
  /** The page of the service that the browser returns to. */
  readonly page: URL;
  /** The user must log in again there. */
  readonly asksLogin: boolean;
}

/**
 * Starts a login at a provider from a page of the service. @returns where the browser goes
 * @throws AppError NOT_FOUND, PROVIDER_REFUSED, FLOW_ENDED, STEP_NOT_NEEDED
 */
export type BeginOnPage = (tenant: Tenant, asked: Asked) => Promise<URL>;

export function createBeginOnPage(
  dependencies: BeginDependencies & { readonly flows: Flows },
): BeginOnPage {
  return async (tenant, { flow: { id, token }, provider, page, asksLogin }) => {
    const flow = await dependencies.flows.open(tenant, id, token, 'oauth', fail);
    const begins = { owner: flow.id, identifier: flow.identifier, asksLogin };
    const asked = { provider, returnUrl: page.href, isOwnPage: true };
    const at = await beginLogin(dependencies, tenant, begins, asked, fail);
    return new URL(at ?? fail('FLOW_ENDED'));
  };
}
