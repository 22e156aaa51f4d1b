/** The screens of the group Evidence: what happened while the others were furnished is on them. */
export const EVIDENCE_SCREENS = {
  // What it shows stays as it is.
  events: '/events?paused=1',
  'the schema of an event': '/events?paused=1&type=session.revoked',
  activity: '/activity',
  'activity of 90 days': '/activity?range=quarter',
} as const;
