import * as own from '@keywright/contract/routes/own-account';
import * as profile from '@keywright/contract/routes/profile';
import * as contract from '@keywright/contract/routes/account-export';
import { getMe, getOwnPermissions, updateMe } from '@keywright/contract/routes/me';
import { preparedOf } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { passwordsModule } from '../../authentication/passwords/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { getAgentById } from '../../machines/agents/index.ts';
import type { GetUserById } from '../user-administration/index.ts';
import { usersModule } from '../user-administration/module.ts';
import { deleteAccount, previewDeletion, getProfile, updateProfile } from './account-service.ts';
import { collect } from './export-content.ts';
import {
  getExport,
  type OwnDataDependencies,
  readExport,
  requestExport,
  createMakeExport,
  createExportQueue,
} from './export-service.ts';
import { createUpdateMe, type UpdateMeDependencies } from './me-service.ts';

interface Dependencies extends UpdateMeDependencies {
  readonly getUserById: GetUserById;
}

function bindMeRoutes(router: Router, dependencies: Dependencies): void {
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

function bindOwnDataRoutes(router: Router, dependencies: OwnDataDependencies): void {
  router.add(contract.requestExport, ({ tenant, caller }, fail) =>
    requestExport(dependencies, tenant, caller, fail),
  );
  router.add(contract.getExport, ({ tenant, caller }, fail) =>
    getExport(dependencies, tenant, caller, fail),
  );
  router.add(contract.readExport, ({ tenant, caller }, fail) =>
    readExport(dependencies, tenant, caller, fail),
  );
}

export const meModule = defineModule('me', (core, use) => {
  // Bound before the service listens, and so before the queue starts.
  let performAs: Router['performAs'] | undefined;
  const queue = createExportQueue(
    core,
    createMakeExport({
      ...core,
      collect: (tenant, job) => {
        if (!performAs) throw new Error('Exports are made once routes are bound.');
        return collect(performAs, core.clock, tenant, job);
      },
    }),
  );
  return {
    sweeps: [expiring('account_exports', 'expires_at')],
    routes(router) {
      performAs = router.performAs;
      bindMeRoutes(router, {
        ...core,
        ...use(messagesModule),
        ...use(passwordsModule),
        getUserById: use(usersModule).getUserById,
      });
      bindOwnDataRoutes(router, core);
    },
    start: queue.start,
    stop: queue.stop,
  };
});
