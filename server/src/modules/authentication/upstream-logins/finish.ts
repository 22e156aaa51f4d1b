import type { Fail } from '@keywright/contract/errors';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Notes } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { holdsScopes, MEMBER } from '../../identity/roles/index.ts';
import { lockUser, captorOf, findCaptorsOf, writeUser } from '../../identity/users/index.ts';
import { beginLinking, type Flows, nameUser, type Step, type StoredFlow } from '../flows/index.ts';
import {
  findProvider,
  providerOf,
  issuesIdTokens,
  linkIdentity,
  type Provider,
  type UpstreamIdentity,
} from '../identity-providers/index.ts';
import { countRegistration } from '../login/index.ts';
import { reclaim, release } from '../mailboxes/index.ts';
import type { Shown } from '../proofs/index.ts';
import { handoffHash } from './upstream-login-secrets.ts';
import { capture, type Found, type Plan, planOf, shownOf } from './upstream-login-rules.ts';
import {
  findHolder,
  findIdentity,
  findLinked,
  takeHandoff,
  waitFor,
} from './upstream-login-store.ts';

export interface FinishDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly flows: Flows;
  readonly notes: Notes;
  readonly notify: Notify;
}

type Refuse = Fail<
  | 'FLOW_ENDED'
  | 'PROVIDER_REFUSED'
  | 'INVALID_CREDENTIALS'
  | 'IDENTIFIER_TAKEN'
  | 'NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
>;

/** What the provider returned. */
interface Confirmed {
  readonly provider: Provider;
  readonly identity: UpstreamIdentity;
}

/** The step of a flow that takes the handoff of a login at a provider. */
export async function finishLogin(
  dependencies: FinishDependencies,
  tenant: Tenant,
  flow: StoredFlow,
  handoff: string,
  step: Step,
  fail: Refuse,
): Promise<FlowAnswer> {
  const { gate, flows } = dependencies;
  const hash = handoffHash(handoff);
  const found = await gate.into(tenant.id).transaction((tx) => look(tx, tenant, flow, hash));
  const { plan, confirmed } = found ?? fail('PROVIDER_REFUSED');
  if ('reason' in plan) {
    note(dependencies, tenant, flow, step, plan.reason);
    return fail(plan.use === 'taken' ? 'IDENTIFIER_TAKEN' : 'INVALID_CREDENTIALS');
  }
  const isInvited = flow.purpose === 'invitation';
  if ((plan.use === 'register' || plan.use === 'release') && !isInvited) {
    const wait = await countRegistration(dependencies, tenant, step.from, 'proven');
    if (wait) fail('TOO_MANY_ATTEMPTS', wait);
  }
  const change = async (tx: TenantTx) => {
    if (!(await takeHandoff(tx, flow.id, hash))) fail('PROVIDER_REFUSED');
    if (plan.use === 'ask') {
      await waitFor(tx, flow, plan.user.id);
      await beginLinking(tx, flow, plan.email);
      return undefined;
    }
    const given = { ...dependencies, tx, tenant, isInvited, by: anonymous(step.from) };
    const shown = (await settle(given, plan, confirmed, step)) ?? fail('FLOW_ENDED');
    await nameUser(tx, flow.id, shown.userId);
    return { method: methodOf(confirmed), provider: confirmed.provider.id, ...shown };
  };
  return flows.proveWithin(tenant, flow, change, step, fail);
}

function methodOf({ provider: { type, settings }, identity }: Confirmed) {
  // A profile is not signed and contains nothing about the login.
  const isTrusted = settings.trust_mfa && issuesIdTokens(type);
  return isTrusted && identity.has_mfa ? ('upstream_mfa' as const) : ('upstream' as const);
}

async function look(tx: TenantTx, tenant: Tenant, flow: StoredFlow, hash: Buffer) {
  const left = await findIdentity(tx, flow.id, hash);
  const row = left && (await findProvider(tx, left.providerId));
  if (!left || !row?.is_active) return undefined;
  const provider = providerOf(row);
  const { identity } = left;
  const linked = await findLinked(tx, provider.id, identity.subject);
  const { email } = identity;
  const holder = linked || email === null ? undefined : await findHolder(tx, email, provider.id);
  const user = linked ?? holder;
  const captors = [
    ...(user ? await findCaptorsOf(tx, tenant, user.id) : []),
    ...(linked || email === null ? [] : [captorOf(tenant, email) ?? []].flat()),
  ];
  const known = { identity, link: provider.settings.link, linked, holder };
  const plan = planOf(tenant, flow, { ...known, ...capture(captors, provider.id) });
  return { plan, confirmed: { provider, identity } };
}

/** What a proof is made from. */
type Settling = Extract<Plan, { readonly user: Found } | { readonly use: 'register' }>;

interface Given {
  readonly tx: TenantTx;
  readonly tenant: Tenant;
  readonly notify: Notify;
  /** The token of an invitation proves the address, and the invitation names the roles. */
  readonly isInvited: boolean;
  readonly by: ReturnType<typeof anonymous>;
}

/** Every change is conditional on what the plan was made from. @returns undefined if that has changed since */
async function settle(
  given: Given,
  plan: Settling,
  { provider, identity }: Confirmed,
  { from }: Step,
): Promise<Shown | undefined> {
  const { tx, tenant, notify, isInvited } = given;
  // The statement that opens the session checks the version again.
  if (plan.use === 'prove') return shownOf(plan.user);
  let userId = plan.use === 'register' ? undefined : plan.user.id;
  if (plan.use === 'link') {
    const isLocked = await lockUser(tx, plan.user);
    if (!isLocked || (await holdsScopes(tx, plan.user.id, 'locked'))) return undefined;
  }
  if (plan.use === 'reclaim') {
    const reclaimed = await reclaim(tx, plan.user, plan.email, from);
    if (!reclaimed || reclaimed === 'reserved') return undefined;
    const kind = 'notice.account_reclaimed';
    await notify(tx, tenant, { userId: plan.user.id, kind, changed: plan.email });
  }
  if (plan.use === 'release') await release(tx, plan.user, plan.email, from);
  if (plan.use === 'release' || plan.use === 'register') {
    const roles = isInvited ? [] : [MEMBER];
    const newcomer = { type: 'email', identifier: plan.email, roles } as const;
    const verified = identity.is_authoritative || identity.is_proven || isInvited;
    userId = await writeUser(tx, anonymous(from), { ...newcomer, verified });
  }
  if (userId === undefined) return undefined;
  const { subject, source } = identity;
  const link = { providerId: provider.id, subject, source };
  const authVersion = await linkIdentity(given, userId, link);
  return authVersion === undefined ? undefined : { userId, authVersion };
}

function note(
  { notes }: FinishDependencies,
  { id: tenantId }: Tenant,
  { id: flowId, user }: StoredFlow,
  { from }: Step,
  reason: string,
): void {
  notes.note(tenantId, anonymous(from), {
    action: 'auth.login_failed',
    method: 'provider',
    target: { kind: user ? 'user' : 'identifier', id: user?.id ?? null },
    outcome: 'failure',
    details: { reason, identifier: null, flow_id: flowId },
  });
}
