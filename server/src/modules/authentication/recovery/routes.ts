import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { recoverUser } from '@keywright/contract/routes/user-recovery';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Notify } from '../../events/messages/index.ts';
import { type Challenges, type Flows, type FlowUser, mayJoin } from '../flows/index.ts';
import { settleInvitee } from '../mailboxes/index.ts';
import { setSecretHash } from '../../identity/users/index.ts';
import type { PasswordPolicy } from '../passwords/index.ts';
import { createRecoverUser } from './by-administrator.ts';
import { replacePassword } from './replace.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly flows: Flows;
  readonly challenges: Challenges;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly notify: Notify;
}

export function bindRecoveryRoutes(router: Router, dependencies: Dependencies): void {
  const { flows, passwords, passwordPolicy, notify } = dependencies;
  const recover = createRecoverUser(dependencies);
  router.add(recoverUser, ({ tenant, caller, params }, fail) =>
    recover(tenant, caller, params.user_id, fail),
  );
  router.add(setNewPassword, async ({ tenant, params, body, device }, fail) => {
    const { from } = device;
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'new_password', fail);
    const candidate = { secret: body.secret, identifiers: [flow.identifier], from };
    await passwordPolicy.require(tenant, candidate, '/secret', fail);
    const secretHash = await passwords.hash(body.secret, hashShare(tenant.id, from));
    if (mayJoin(flow)) {
      const joining = {
        method: 'password',
        settle: (tx: TenantTx) => settleInvitee(tx, tenant, flow, { notify, from }, fail),
        add: async (tx: TenantTx, { id, authVersion }: FlowUser) => {
          await setSecretHash(tx, id, secretHash);
          return authVersion;
        },
      } as const;
      return flows.join(tenant, flow, joining, device, fail);
    }
    const isForgotten = flow.purpose === 'recovery';
    const change = async (tx: TenantTx, user: FlowUser) => {
      const authVersion =
        (await replacePassword(tx, user, secretHash, { from, isForgotten })) ?? fail('FLOW_ENDED');
      await notify(tx, tenant, {
        userId: user.id,
        kind: 'notice.password_changed',
        device: device.userAgent,
      });
      return authVersion;
    };
    return flows.change(tenant, flow, 'password', change, device, fail);
  });
}
