import type { ErrorCode } from '@keywright/contract/errors';

interface Words {
  readonly title: string;
  readonly text: string;
}

const AGAIN = 'Go back to the application, and log in again.';

/** What people read of an error who did nothing wrong. Developers find its code below. */
export const ERROR_WORDS: Partial<Record<ErrorCode, Words>> = {
  TENANT_NOT_FOUND: {
    title: 'Nobody is here',
    text: 'No organisation has this address. Check it, or go back to where you came from.',
  },
  TENANT_INACTIVE: {
    title: 'This organisation is closed for now',
    text: 'Nobody can log in to it. Ask whoever runs it.',
  },
  FORM_TOO_OLD: { title: 'This page is too old', text: AGAIN },
  COOKIE_REFUSED: {
    title: 'Your browser refused a cookie',
    text: `A login needs one until it is complete. Allow cookies for this site. ${AGAIN}`,
  },
  ORIGIN_REFUSED: {
    title: 'This form came from another site',
    text: `Nothing was done with it. ${AGAIN}`,
  },
  REQUEST_INVALID: {
    title: 'This application cannot log you in',
    text: 'Its request is wrong, so nothing was sent back to it. Tell whoever runs it.',
  },
  ISSUER_ELSEWHERE: { title: 'Logins are at another address', text: AGAIN },
  PROVIDER_REFUSED: {
    title: 'The login was not confirmed',
    text: `It took too long, or was used already. ${AGAIN}`,
  },
  VALIDATION_FAILED: { title: 'This address is not complete', text: AGAIN },
  REQUEST_MALFORMED: { title: 'This address is not complete', text: AGAIN },
  UNAVAILABLE: {
    title: 'One moment, please',
    text: 'The service is being restarted, or is very busy. Load this page again in a moment.',
  },
  INTERNAL: {
    title: 'Something went wrong',
    text: 'It is not your fault. Try again. If it stays, tell whoever runs this service the number below.',
  },
};
