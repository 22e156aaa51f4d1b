/** The texts of errors that users see without having made a mistake. Developers find the error code below. */
export const ERRORS = {
  'error.tenant_not_found.title': 'Nobody is here',
  'error.tenant_not_found':
    'No organisation has this address. Check it, or go back to where you came from.',
  'error.tenant_inactive.title': 'This organisation is closed for now',
  'error.tenant_inactive': 'Nobody can log in to it. Ask whoever runs it.',
  'error.form_too_old.title': 'This page is too old',
  'error.form_too_old': 'Go back to the application, and log in again.',
  'error.cookie_refused.title': 'Your browser refused a cookie',
  'error.cookie_refused':
    'A login needs one until it is complete. Allow cookies for this site. Go back to the application, and log in again.',
  'error.origin_refused.title': 'This form came from another site',
  'error.origin_refused': 'Nothing was done with it. Go back to the application, and log in again.',
  'error.request_invalid.title': 'This application cannot log you in',
  'error.request_invalid':
    'Its request is wrong, so nothing was sent back to it. Tell whoever runs it.',
  'error.oauth_off.title': 'Applications cannot log you in here',
  'error.oauth_off': 'This organisation has turned it off. Ask whoever runs it.',
  'error.issuer_elsewhere.title': 'Logins are at another address',
  'error.issuer_elsewhere': 'Go back to the application, and log in again.',
  'error.provider_refused.title': 'The login was not confirmed',
  'error.provider_refused':
    'It took too long, or was used already. Go back to the application, and log in again.',
  'error.address_incomplete.title': 'This address is not complete',
  'error.address_incomplete': 'Go back to the application, and log in again.',
  'error.unavailable.title': 'One moment, please',
  'error.unavailable':
    'The service is being restarted, or is very busy. Load this page again in a moment.',
  'error.internal.title': 'Something went wrong',
  'error.internal':
    'It is not your fault. Try again. If it stays, tell whoever runs this service the number below.',
  'error.wait': 'Try again {minutes, plural, one {in a minute} other {in # minutes}}.',
} as const;
