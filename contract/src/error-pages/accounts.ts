import type { ErrorPages } from './page.ts';

const USER = '/users/user:01m7z2d5jfe9zr0j4dgg8m5yx4';

/** Errors of users, roles and workspaces. */
export const ACCOUNT_PAGES = {
  IDENTIFIER_TAKEN: {
    causes: [
      'Another user in this tenant has the email address or phone number. Identifiers are unique within a tenant, regardless of case.',
      'An import or a retry creates a user who already exists.',
      'A user signs in with an identity provider for the first time, and an account with the same email address exists, but the provider is not trusted to vouch for that address.',
    ],
    fixes: [
      'Find the user with `GET /users?email=…`, and update that record instead.',
      'Send an `Idempotency-Key` with `POST /users`, so that a retry returns the user that the first attempt created.',
      'For identity providers, use `link` to choose whether accounts with the same verified email address are linked.',
    ],
    example: {
      request: 'POST /users',
      body: { identifier: 'ada@example.com', password: 'correct horse battery' },
    },
    guides: ['migrate/index.md', 'guide/log-in-with-google.md'],
  },
  LAST_IDENTIFIER: {
    causes: [
      'The request would remove the last email address or phone number of a user, or the last verified one. Without it, the user could not be found or reached.',
    ],
    fixes: [
      'Add the new identifier first, with `POST /me/identifiers`, and enter the code that is sent to it.',
      'Make it the primary one with `PUT /me/identifiers/{identifier}/primary`, and then remove the old one.',
      'To remove the user completely, delete the account instead.',
    ],
    example: { request: 'DELETE /me/identifiers/ada@example.com' },
    guides: ['guide/account-page.md', 'guide/change-identifiers.md'],
  },
  IDENTIFIER_UNVERIFIED: {
    causes: [
      'The request makes an unverified identifier the primary one. Notices go to the primary identifier, so it must belong to the user.',
    ],
    fixes: [
      'Send a code with `POST /me/identifiers`, enter it with `POST /me/identifiers/verification`, and repeat the request.',
      'If the tenant cannot send messages, an administrator can set `verified` with `PATCH /users/{user_id}` after checking that the identifier belongs to the user.',
    ],
    example: { request: 'PUT /me/identifiers/new@example.com/primary' },
    guides: ['guide/account-page.md', 'guide/change-identifiers.md'],
  },
  ACCOUNT_DELETION_OFF: {
    causes: [
      'A user tries to delete their own account, and the tenant does not allow it: `allow_account_deletion` is `false`.',
    ],
    fixes: [
      'Ask one of the tenant’s administrators to delete the account with `DELETE /users/{user_id}`.',
      'As an administrator, set `allow_account_deletion` to `true` with `PATCH /tenants/{tenant_id}` if you want users to be able to delete their accounts.',
      'Hide the button in your application while the setting is off.',
    ],
    example: {
      request: 'POST /me/deletion',
      body: { identifier: 'ada@example.com' },
    },
    guides: ['guide/account-page.md', 'guide/tenants.md'],
  },
  LAST_ADMINISTRATOR: {
    causes: [
      'The request would leave the tenant without an active administrator: it deletes, disables or demotes the last one, or it deletes or changes the role that makes them an administrator.',
      'In the default tenant, the same applies to the last system administrator.',
    ],
    fixes: [
      'Give another active user the role that the detail names, and repeat the request.',
      'To shut down a tenant, delete or deactivate it as a system administrator.',
      'If a tenant has no administrators left, a system administrator can still act in it.',
    ],
    example: {
      request: `DELETE ${USER}`,
      detail:
        'Without user:01m7z2d5jfe9zr0j4dgg8m5yx4, this tenant has no active administrator. Give another active user the role admin first.',
    },
    guides: ['guide/tenants.md', 'guide/command-line.md'],
  },
  USER_UNREACHABLE: {
    causes: [
      'An administrator sends a recovery message to a user who has no verified email address. A message to an unverified address could reach another person.',
      'The user is inactive.',
    ],
    fixes: [
      'Add the user’s email address with `PATCH /users/{user_id}`. Set `verified: true` if you have checked that it belongs to the user.',
      'Activate the user with `is_active: true`.',
      'Then send the message again.',
    ],
    example: { request: `POST ${USER}/recovery` },
    guides: ['guide/recover-accounts.md', 'guide/invite-people.md'],
  },
  ROLE_UNKNOWN: {
    causes: [
      'A user or an invitation names a role that the tenant does not have. The detail lists the unknown names.',
      'The role exists in another tenant. Apart from the built-in roles, each tenant has its own.',
      'The role was deleted or is spelled differently: names are case-sensitive.',
    ],
    fixes: [
      'List the roles with `GET /roles`, and use one of their names.',
      'Create the role first with `POST /roles`. If you create tenants with a script, create their roles in the same script.',
    ],
    example: {
      request: 'POST /users',
      body: { identifier: 'ada@example.com', password: 'correct horse battery', roles: ['biling'] },
      detail: 'This tenant has no role named biling. GET /roles lists its roles.',
    },
    guides: ['guide/agents-and-api-keys.md', 'guide/invite-people.md'],
  },
  ROLE_TAKEN: {
    causes: [
      'The tenant already has a role with this name.',
      'The name belongs to a built-in role and is reserved.',
      'A script creates the role on each run.',
    ],
    fixes: [
      'Choose another name, or change the existing role with `PATCH /roles/{role}`.',
      'In scripts, read `GET /roles/{role}` first, or treat this error as success if the scopes are the same.',
      'Send an `Idempotency-Key`, so that a retry of the same request succeeds.',
    ],
    example: {
      request: 'POST /roles',
      body: { name: 'billing', scopes: ['read:users'] },
      detail: 'A role named billing already exists. Choose another name, or change that role.',
    },
    guides: ['guide/agents-and-api-keys.md'],
  },
  BUILTIN_ROLE_PROTECTED: {
    causes: [
      'The request changes or deletes a built-in role. Built-in roles are the same in all tenants, so that at least one role can administer each tenant.',
    ],
    fixes: [
      'Create your own role with `POST /roles` and the scopes that you need, and assign it to the users instead.',
      'To restrict administrators, assign them your own role with fewer scopes, and reserve the built-in role for a few people.',
    ],
    example: {
      request: 'PATCH /roles/member',
      body: { scopes: ['read:users'] },
      detail:
        'member is a built-in role, which cannot be changed or deleted. Create a custom role instead.',
    },
    guides: ['guide/agents-and-api-keys.md', 'guide/tenants.md'],
  },
  SLUG_TAKEN: {
    causes: [
      'Another tenant, or another workspace in this tenant, has the slug. If you send only `name`, the slug is derived from it.',
      'A tenant with this slug was created earlier, perhaps by a first attempt whose response was lost.',
    ],
    fixes: [
      'Send another `slug`. It becomes part of the ID and cannot be changed later, so choose it deliberately.',
      'Send an `Idempotency-Key`, so that a retry returns the tenant that the first attempt created.',
      'Look for the existing record with `GET /tenants` or `GET /workspaces`.',
    ],
    example: {
      request: 'POST /tenants',
      body: { name: 'Acme', slug: 'acme' },
      detail: 'The tenant id org_acme is taken. Choose another slug.',
    },
    guides: ['guide/tenants.md'],
  },
  DEFAULT_WORKSPACE_PROTECTED: {
    causes: [
      'The request deletes or deactivates the default workspace, or removes a user from it. Every user in a tenant is a member of `ws_default`.',
    ],
    fixes: [
      'Create another workspace for the users whom you want to separate, and leave the default workspace unchanged.',
      'To end a user’s access, disable or delete the user.',
      'To end all users’ access, deactivate the tenant as a system administrator.',
    ],
    example: { request: 'DELETE /workspaces/ws_default' },
    guides: ['guide/tenants.md'],
  },
  IN_USE: {
    causes: [
      'The request deletes a role or workspace that users, sessions or agents depend on. The detail states how many.',
      'The request changes a tenant’s issuer, which would make its users’ passkeys useless.',
      'The request changes a provider’s issuer while users have linked identities there.',
      'The role is the value of `require_mfa_role`.',
    ],
    fixes: [
      'First remove or move the dependents: assign the users another role, and move the agents to another workspace.',
      'If you accept the loss, send the query parameter `force=true`, if the route supports it. `/reference` lists the parameters of each route.',
      'To use a different issuer, add a new provider instead of changing the old one.',
    ],
    example: {
      request: 'DELETE /roles/billing',
      detail:
        '1 user has this role (user:01m7z2d5jfe9zr0j4dgg8m5yx4). Send force=true to remove it from them and delete it.',
    },
    guides: ['guide/tenants.md', 'guide/passkeys.md'],
  },
} as const satisfies ErrorPages;
