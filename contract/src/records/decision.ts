import Type, { type Static } from 'typebox';
import { Grants, Removals, Reason } from './explanation.ts';

export const Decision = Type.Object(
  {
    decision: Type.Boolean({
      description: 'Whether the subject is allowed to perform the action.',
      examples: [false],
    }),
    context: Type.Optional(
      Type.Object(
        {
          reasons: Type.Array(Reason, {
            description: 'Reasons for the denial. `explain` adds more detail.',
          }),
          error: Type.Optional(
            Type.Object(
              {
                status: Type.Integer({
                  description: 'Status that a single evaluation would return.',
                  examples: [400],
                }),
                message: Type.String({
                  description: 'What is invalid, and where.',
                  examples: ['/resource/id is required'],
                }),
              },
              {
                description:
                  'Present only for an invalid evaluation in a batch (OpenID AuthZEN §7.2.1).',
              },
            ),
          ),
          grants: Type.Optional(Grants),
          removals: Type.Optional(Removals),
        },
        { description: 'Present if the action is denied or if you requested an explanation.' },
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
