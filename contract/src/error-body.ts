import Type, { type Static } from 'typebox';

/** One thing that is wrong with a request: where, as a JSON pointer, and what. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Short name of the status, such as Unauthorized.' }),
    detail: Type.String({ description: 'A sentence for people.' }),
    code: Type.String({ description: 'A stable code for programs, such as TOKEN_INVALID.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Where: a JSON pointer, or `/` and a parameter.' }),
          message: Type.String({ description: 'What is expected there.' }),
        }),
        {
          description: 'With VALIDATION_FAILED: each thing that is wrong, by JSON pointer.',
        },
      ),
    ),
  },
  { $id: 'Error', description: 'The body of every error under /api/sso/v1.' },
);
export type ErrorBody = Static<typeof ErrorBody>;
