import { ACCESS_PAGES } from './error-pages/access.ts';
import { ACCOUNT_PAGES } from './error-pages/accounts.ts';
import { LOGIN_PAGES } from './error-pages/logins.ts';
import { MESSAGE_PAGES } from './error-pages/messages.ts';
import { OAUTH_CLIENT_PAGES } from './error-pages/oauth-clients.ts';
import { OAUTH_LOGIN_PAGES } from './error-pages/oauth-logins.ts';
import { OAUTH_TOKEN_PAGES } from './error-pages/oauth-tokens.ts';
import type { ErrorPage } from './error-pages/page.ts';
import { PROVIDER_PAGES } from './error-pages/providers.ts';
import { REQUEST_PAGES } from './error-pages/requests.ts';
import { TENANT_PAGES } from './error-pages/tenants.ts';
import type { ErrorCode } from './errors.ts';

export type { ErrorExample, ErrorPage } from './error-pages/page.ts';

/**
 * Why each error occurs and what to do about it. Loaded only to generate the documentation and to show a page, because
 * the service does not need it otherwise.
 */
export const ERROR_PAGES: Readonly<Record<ErrorCode, ErrorPage>> = {
  ...REQUEST_PAGES,
  ...ACCESS_PAGES,
  ...LOGIN_PAGES,
  ...ACCOUNT_PAGES,
  ...TENANT_PAGES,
  ...MESSAGE_PAGES,
  ...PROVIDER_PAGES,
  ...OAUTH_TOKEN_PAGES,
  ...OAUTH_LOGIN_PAGES,
  ...OAUTH_CLIENT_PAGES,
};
