import { getMe, getOwnPermissions, updateMe } from '@keywright/contract/routes/me';
import * as own from '@keywright/contract/routes/own-account';
import * as profile from '@keywright/contract/routes/profile';
import { preparedOf } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import { getAgentById } from '../../machines/agents/index.ts';
import type { GetUserById } from '../user-administration/index.ts';
import { deleteAccount, previewDeletion } from './deletion.ts';
import { getProfile, updateProfile } from './profile.ts';
import { createUpdateMe, type UpdateMeDependencies } from './update.ts';

interface Dependencies extends UpdateMeDependencies {
  readonly getUserById: GetUserById;
}

export function bindMeRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, getUserById } = dependencies;
  const update = createUpdateMe(dependencies);

  // An agent that acts for a user gets the user's record.
  router.add(getMe, async ({ tenant, caller: { claimed: caller } }, fail) => {
    if (caller.kind === 'impersonator') return fail('IMPERSONATION_REFUSED');
    // An authenticated caller exists: the row can only be missing if it was deleted during this request.
    const gone = () => fail('TOKEN_INVALID');
    if (caller.kind === 'agent') {
      const { record } = caller;
      return preparedOf(record ?? (await getAgentById(gate.into(tenant.id), caller.subject, gone)));
    }
    return preparedOf(await getUserById(tenant.id, caller.subject, gone));
  });
  router.add(getOwnPermissions, ({ caller: { roles, scopes } }) => ({
    roles: [...roles],
    scopes: [...scopes],
  }));
  router.add(own.previewDeletion, ({ tenant, caller }, fail) =>
    previewDeletion(dependencies, tenant, caller, fail),
  );
  router.add(own.deleteOwnAccount, async ({ tenant, caller, body }, fail) => ({
    id: await deleteAccount(dependencies, tenant, caller, body.identifier, fail),
    deleted: true as const,
  }));
  router.add(profile.getProfile, ({ tenant, caller }, fail) =>
    getProfile(dependencies, tenant, caller, fail),
  );
  router.add(profile.updateProfile, ({ tenant, caller, body }, fail) =>
    updateProfile(dependencies, tenant, caller, body, fail),
  );
  router.add(updateMe, ({ tenant, caller, body }, fail) => update(tenant, caller, body, fail));
}
