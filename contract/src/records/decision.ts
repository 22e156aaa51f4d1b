import Type, { type Static } from 'typebox';
import { Grants, Removals, Reason } from './explanation.ts';

export const Decision = Type.Object(
  {
    decision: Type.Boolean({ description: 'Whether the subject may do it.', examples: [false] }),
    context: Type.Optional(
      Type.Object(
        {
          reasons: Type.Array(Reason, { description: 'Why it is denied; `explain` adds more.' }),
          grants: Type.Optional(Grants),
          removals: Type.Optional(Removals),
        },
        { description: 'Present when it is denied, or an explanation was requested.' },
      ),
    ),
  },
  {
    $id: 'Decision',
    description: 'The result of an access evaluation (OpenID AuthZEN §5.5).',
    examples: [
      {
        decision: false,
        context: {
          reasons: [
            {
              code: 'scope_missing',
              detail: 'The subject does not hold the scope.',
              scopes: ['write:users'],
            },
          ],
        },
      },
    ],
  },
);
export type Decision = Static<typeof Decision>;
