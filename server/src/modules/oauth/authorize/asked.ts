import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Clients, KnownClient } from '../clients/index.ts';
import {
  isOfPushedRequest,
  type PushedRequests,
  type PushedUse,
} from '../pushed-requests/index.ts';
import { type FindResources, knownResources } from '../resources/index.ts';
import type { Verdict } from './request.ts';
import { clientNamedIn, judgeRequest } from './rules.ts';

interface JudgeDependencies {
  readonly findResources: FindResources;
}

interface Dependencies extends JudgeDependencies {
  readonly clients: Clients;
  readonly pushedRequests: PushedRequests;
}

/** A request, and the client that it is of. */
interface Asked {
  readonly client: KnownClient | undefined;
  readonly verdict: Verdict;
  /** What a code for it uses up, if it was pushed. */
  readonly pushed?: PushedUse;
}

/** What a browser came with: a request, or the reference to one that was pushed. */
export async function readAsked(
  dependencies: Dependencies,
  tenant: Tenant,
  parameters: URLSearchParams,
): Promise<Asked> {
  const named = clientNamedIn(parameters) ?? '';
  const client = await dependencies.clients.known(tenant.id, named);
  const [uri = '', ...others] = parameters.getAll('request_uri');
  if (!client?.is_active || others.length > 0 || !isOfPushedRequest(uri)) {
    return { client, verdict: await judge(dependencies, tenant, client, parameters) };
  }
  return { client, ...(await readPushed(dependencies, tenant, client, uri)) };
}

/** RFC 9126 §4: whatever else the browser came with is ignored. */
async function readPushed(
  dependencies: Dependencies,
  tenant: Tenant,
  client: KnownClient,
  uri: string,
): Promise<Omit<Asked, 'client'>> {
  const found = await dependencies.pushedRequests.find(tenant.id, client.id, uri);
  if (!found) return { verdict: { kind: 'page', reason: 'request_uri_unknown' } };
  const { parameters, use: pushed } = found;
  return { verdict: await judgePushed(dependencies, tenant, client, parameters), pushed };
}

/** A request that its client sent itself. */
export function judgePushed(
  dependencies: JudgeDependencies,
  tenant: Tenant,
  client: KnownClient,
  parameters: URLSearchParams,
): Promise<Verdict> {
  return judge(dependencies, tenant, client, parameters, { isPushed: true });
}

async function judge(
  { findResources }: JudgeDependencies,
  tenant: Tenant,
  client: KnownClient | undefined,
  parameters: URLSearchParams,
  { isPushed } = { isPushed: false },
): Promise<Verdict> {
  const resources = parameters.has('resource')
    ? await findResources(tenant.id)
    : knownResources([]);
  const { oauth_pkce: pkce, oauth_require_pushed_requests: ofAll } = tenant.config;
  const ofThis = client?.require_pushed_authorization_requests;
  const mustBePushed = !isPushed && (ofAll || ofThis === true);
  return judgeRequest(client, { pkce, tenant, resources, mustBePushed }, parameters);
}
