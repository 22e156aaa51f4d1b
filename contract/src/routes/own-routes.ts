import { EXPORT_ROUTES } from './account-export.ts';
import { IDENTITY_ROUTES } from './identities.ts';
import { OWN_ACCOUNT_ROUTES } from './own-account.ts';
import { OWN_INVITATION_ROUTES } from './own-invitations.ts';
import { OWN_WORKSPACE_ROUTES } from './own-workspaces.ts';
import { PROFILE_ROUTES } from './profile.ts';

/** The routes for users' own accounts, in the order of the reference. */
export const OWN_ROUTES = [
  ...PROFILE_ROUTES,
  ...EXPORT_ROUTES,
  ...OWN_ACCOUNT_ROUTES,
  ...IDENTITY_ROUTES,
  ...OWN_WORKSPACE_ROUTES,
  ...OWN_INVITATION_ROUTES,
] as const;
