import Type, { type Static } from 'typebox';
import { UnknownPasskey } from './records/passkey.ts';
import { OfferedFlow } from './records/login-flow.ts';

/** An invalid part of a request: its JSON pointer and the expected value. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Name of the HTTP status, such as Unauthorized.' }),
    detail: Type.String({ description: 'An explanation for humans.' }),
    code: Type.String({ description: 'A stable code for programs, such as TOKEN_INVALID.' }),
    doc: Type.String({ description: 'URL of the page that explains the code.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'A JSON pointer, or `/` and the name of a parameter.' }),
          message: Type.String({ description: 'What is expected there.' }),
        }),
        {
          description: 'With VALIDATION_FAILED: every invalid field, by JSON pointer.',
        },
      ),
    ),
    guesses_left: Type.Optional(
      Type.Integer({ description: 'With CODE_WRONG: how many more codes may be tried.' }),
    ),
    unknown_passkey: Type.Optional(UnknownPasskey),
    flow: Type.Optional(OfferedFlow),
  },
  { $id: 'Error', description: 'The body of every error under /api/sso/v1.' },
);
export type ErrorBody = Static<typeof ErrorBody>;
