// Converts the service's evidence to the chain that the user reads.

import type { Explanation } from '@keywright/sdk';

type Reason = Explanation['reasons'][number];
type Grant = Explanation['grants'][number];
type Removal = Explanation['removals'][number];

/** `open`: a previous link refused, so this one was not reached. */
export type LinkState = 'holds' | 'refuses' | 'open';

export type Link = { readonly state: LinkState; readonly reasons: readonly Reason[] } & (
  | { readonly kind: 'subject' | 'workspace'; readonly id: string }
  | {
      readonly kind: 'grant';
      readonly grants: readonly Grant[];
      readonly removals: readonly Removal[];
    }
  | { readonly kind: 'scope'; readonly scope: string }
);

export interface Question {
  readonly subject: string;
  readonly scope: string;
  readonly workspace: string;
}

const OF_SUBJECT = /^(user|agent)_/;
const OF_WORKSPACE = /^workspace_/;

/** Returns the links in the order of the decision. Each reason is at the link that it concerns. */
export function chainOf({ subject, scope, workspace }: Question, explanation: Explanation): Link[] {
  const { allowed, reasons, grants, removals } = explanation;
  const about = (pattern: RegExp) => reasons.filter(({ code }) => pattern.test(code));
  const ofSubject = about(OF_SUBJECT);
  const ofWorkspace = about(OF_WORKSPACE);
  const others = reasons.filter(
    (reason) => !ofSubject.includes(reason) && !ofWorkspace.includes(reason),
  );
  let isReached = true;
  const stateOf = (refuses: boolean): LinkState => {
    if (!isReached) return 'open';
    isReached = !refuses;
    return refuses ? 'refuses' : 'holds';
  };
  const hasWorkspace = workspace !== '' || ofWorkspace.length > 0;
  return [
    { kind: 'subject', id: subject, reasons: ofSubject, state: stateOf(ofSubject.length > 0) },
    ...(hasWorkspace
      ? [
          {
            kind: 'workspace' as const,
            id: workspace,
            reasons: ofWorkspace,
            state: stateOf(ofWorkspace.length > 0),
          },
        ]
      : []),
    {
      kind: 'grant',
      grants,
      removals,
      reasons: others,
      state: stateOf(!allowed),
    },
    { kind: 'scope', scope, reasons: [], state: stateOf(false) },
  ];
}
