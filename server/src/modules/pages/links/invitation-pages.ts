import { showAccount } from '@keywright/contract/routes/account';
import { beginFlow } from '@keywright/contract/routes/login-flows';
import {
  openInvitation,
  openInvitationByIssuer,
  showInvitation,
  showInvitationByIssuer,
} from '@keywright/contract/routes/invitation-pages';
import { Page } from '../../../platform/http/replies.ts';
import { pathAtIssuer, requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { FlowInvitations } from '../../authentication/flows/index.ts';
import type { PageLogins } from '../../oauth/authorize/index.ts';
import type { Look, LookService } from '../../branding/brand/index.ts';
import { endedInvitationView, invitationView } from '../../branding/views/index.ts';

/** Binds the pages of an invitation: its description, and the flow that accepts it. */
export function bindInvitationPages(
  router: Router,
  invitations: FlowInvitations,
  pageLogins: PageLogins,
  looks: LookService,
): void {
  const shown = [showInvitation, showInvitationByIssuer];
  router.addAll(shown, async ({ tenant, query: { token }, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await looks.find(tenant, wishes, { action: 'invitation', fields: { token } });
    const found = await invitations.read(tenant, token);
    if (found?.state !== 'pending') return ended(tenant, look, found?.state);
    const { identifier, inviter } = found;
    const page = { look, field: form.field, token, tenantName: tenant.name };
    return new Page(invitationView({ ...page, identifier, inviter }));
  });

  const opened = [openInvitation, openInvitationByIssuer];
  router.addAll(opened, async ({ tenant, body, cookies, device, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const { token } = body;
    const found = await invitations.read(tenant, token);
    if (found?.state !== 'pending') {
      return ended(tenant, await looks.find(tenant, wishes), found?.state);
    }
    const flowBody = { purpose: 'invitation', token } as const;
    const begun = await router.perform(beginFlow, { tenant, device, params: {}, body: flowBody });
    const flow = { id: begun.flow.id, token: begun.flow_token, identifier: found.identifier };
    const returnTo = pathAtIssuer(tenant, showAccount.path);
    // The browser may be logged in as another user.
    const requirements = { prompts: ['login'] } as const;
    return pageLogins.start(tenant, cookies.flow, { returnTo, requirements, loginFlow: flow });
  });
}

type State = Parameters<typeof endedInvitationView>[0]['state'];

function ended(tenant: Tenant, look: Look, state: State): Page<'FLOW_ENDED'> {
  const { here: _here, ...shown } = look;
  const account = pathAtIssuer(tenant, showAccount.path);
  return new Page(endedInvitationView({ look: shown, state, account }), { refusal: 'FLOW_ENDED' });
}
