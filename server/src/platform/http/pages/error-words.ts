import type { ErrorCode } from '@keywright/contract/errors';

/** The texts of errors that users see without having made a mistake. Developers find the error code below. */
export const ERROR_WORDS = {
  TENANT_NOT_FOUND: 'error.tenant_not_found',
  TENANT_INACTIVE: 'error.tenant_inactive',
  FORM_TOO_OLD: 'error.form_too_old',
  COOKIE_REFUSED: 'error.cookie_refused',
  ORIGIN_REFUSED: 'error.origin_refused',
  REQUEST_INVALID: 'error.request_invalid',
  OAUTH_OFF: 'error.oauth_off',
  ISSUER_ELSEWHERE: 'error.issuer_elsewhere',
  PROVIDER_REFUSED: 'error.provider_refused',
  VALIDATION_FAILED: 'error.address_incomplete',
  REQUEST_MALFORMED: 'error.address_incomplete',
  UNAVAILABLE: 'error.unavailable',
  INTERNAL: 'error.internal',
} as const satisfies Partial<Record<ErrorCode, string>>;
