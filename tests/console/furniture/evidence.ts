/** The screens of the group Evidence, which show the events of furnishing the others. */
export const EVIDENCE_SCREENS = {
  // Paused, so that the shown events do not change.
  events: '/events?paused=1',
  'the schema of an event': '/events?paused=1&type=session.revoked',
  activity: '/usage',
  'activity of 90 days': '/usage?range=quarter',
} as const;
