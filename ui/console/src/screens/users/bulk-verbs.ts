/** The actions on several users together. */
export const VERBS = ['endSessions', 'giveRole', 'disable', 'delete'] as const;
export type Verb = (typeof VERBS)[number];
