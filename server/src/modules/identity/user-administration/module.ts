import { JSON_LINES } from '@keywright/contract/routes/fields';
import {
  createUser,
  deleteUser,
  exportUsers,
  getUser,
  listUsers,
  updateUser,
  importUsers,
} from '@keywright/contract/routes/users';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { Streamed } from '../../../platform/http/replies.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { PasswordPolicy } from '../../authentication/passwords/index.ts';
import { passwordsModule } from '../../authentication/passwords/module.ts';
import type { Notify } from '../../events/messages/index.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { createImportUsers } from './user-import.ts';
import { exportUserLines, filterOf, listUsersPage } from './user-list.ts';
import { createUserSamples, createFindPage } from './user-samples.ts';
import {
  createCreateUser,
  deleteUserById,
  type GetUserById,
  createGetUserById,
} from './user-service.ts';
import { createUpdateUser } from './user-update.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly getUserById: GetUserById;
  readonly clock: Clock;
  readonly notify: Notify;
}

function bindUserRoutes(
  router: Router,
  { gate, passwords, passwordPolicy, getUserById, clock, notify }: Dependencies,
): void {
  const create = createCreateUser({ gate, passwords, passwordPolicy });
  const update = createUpdateUser({ gate, passwords, passwordPolicy, notify });
  const findPage = createFindPage(gate);
  const lists = { samples: createUserSamples(clock, findPage), findPage };

  router.add(listUsers, ({ tenant, query }, fail) =>
    listUsersPage(gate.into(tenant.id), lists, query, fail),
  );
  router.add(exportUsers, async ({ tenant, caller, query }, fail) => {
    const lines = await exportUserLines(gate.into(tenant.id), caller, filterOf(query, fail));
    return new Streamed(JSON_LINES, lines);
  });
  router.add(getUser, ({ tenant, params }, fail) => getUserById(tenant.id, params.user_id, fail));
  router.add(createUser, async ({ tenant, caller, body, repeatable }, fail) => {
    return create(tenant, caller, body, repeatable, fail);
  });
  router.add(updateUser, ({ tenant, caller, params, body }, fail) =>
    update(tenant, caller, params.user_id, body, fail),
  );
  router.add(deleteUser, ({ tenant, caller, params, query }, fail) => {
    const isDry = query.dry_run === 'true';
    return deleteUserById(gate.into(tenant.id), caller, params.user_id, isDry, fail);
  });
}

export const usersModule = defineModule('users', (core, use) => {
  const getUserById = createGetUserById(core.gate);
  const importAll = createImportUsers(core.gate, core.passwords);
  return {
    offer: { getUserById },
    routes(router) {
      bindUserRoutes(router, {
        ...core,
        ...use(messagesModule),
        ...use(passwordsModule),
        getUserById,
      });
      router.add(importUsers, ({ tenant, caller, lines, query }, fail) =>
        importAll(tenant, caller, lines, query.dry_run === 'true', fail),
      );
    },
  };
});
