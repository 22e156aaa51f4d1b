import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';
import {
  addProvider,
  beginUpstreamFlow,
  comeBack,
  type FakeProvider,
  goToProvider,
  handoffOf,
  proveUpstream,
  RETURN_URL,
} from '../harness/upstream.ts';

export interface UpstreamFurniture {
  /** Begins a flow that has come back from a provider with the identity of a user. */
  readonly beginUpstream: () => Promise<string>;
  readonly lastUpstream: () => {
    readonly flow_token: string;
    readonly provider: string;
    readonly handoff: string;
  };
}

/** Logins of a new user at a provider. */
export function furnishUpstream(tenant: TestTenant, provider: FakeProvider): UpstreamFurniture {
  let last = { flow_token: 'lft_none', provider: 'idp_none', handoff: 'hnd_none' };
  let record: ReturnType<typeof addProvider> | undefined;
  let users = 0;
  return {
    beginUpstream: async () => {
      record ??= addProvider(tenant, provider, { name: `gate of ${tenant.id}` });
      const own = await record;
      users += 1;
      const name = `${tenant.id}-${users}`.replaceAll('_', '-');
      const person = { sub: name, email: `${name}@example.org` };
      const first = await beginUpstreamFlow(tenant);
      expectStatus(200, await proveUpstream(tenant, first, { provider, record: own }, person));
      const flow = await beginUpstreamFlow(tenant);
      const back = provider.authorize(await goToProvider(tenant, flow, own), person);
      const handoff = handoffOf(await comeBack(tenant, back));
      last = { flow_token: flow.flow_token ?? '', provider: own.id, handoff };
      return flow.id;
    },
    lastUpstream: () => last,
  };
}

/** What a request for the last flow contains. */
export function upstreamBodyOf({ lastUpstream }: UpstreamFurniture, step: 'begin' | 'finish') {
  const { flow_token, provider, handoff } = lastUpstream();
  return step === 'begin'
    ? { flow_token, provider, return_url: RETURN_URL }
    : { flow_token, handoff };
}
