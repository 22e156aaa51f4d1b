/** The pages that a preview can show, with fictitious people and applications. */
export const PREVIEW_PAGES = [
  'login',
  'login_failed',
  'registration',
  'recovery',
  'code',
  'second_factor',
  'new_password',
  'recovery_codes',
  'consent',
  'accounts',
  'device',
  'invitation',
  'logout',
] as const;
export type PreviewPage = (typeof PREVIEW_PAGES)[number];
