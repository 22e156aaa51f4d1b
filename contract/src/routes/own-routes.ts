import { EXPORT_ROUTES } from './account-export.ts';
import { IDENTITY_ROUTES } from './identities.ts';
import { ACCOUNT_DELETION_ROUTES } from './own-account.ts';
import { ME_INVITATION_ROUTES } from './own-invitations.ts';
import { ME_WORKSPACE_ROUTES } from './own-workspaces.ts';
import { PROFILE_ROUTES } from './profile.ts';

/** The routes for users' own accounts, in the order of the reference. */
export const ME_ROUTES = [
  ...PROFILE_ROUTES,
  ...EXPORT_ROUTES,
  ...ACCOUNT_DELETION_ROUTES,
  ...IDENTITY_ROUTES,
  ...ME_WORKSPACE_ROUTES,
  ...ME_INVITATION_ROUTES,
] as const;
