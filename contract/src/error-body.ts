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
    error: Type.String({ description: 'Name of the HTTP status, such as `Unauthorized`.' }),
    detail: Type.String({ description: 'Human-readable explanation.' }),
    code: Type.String({
      description: 'Stable, machine-readable error code, such as `TOKEN_INVALID`.',
    }),
    doc: Type.String({ description: 'URL of the documentation page for the error code.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({
            description: 'JSON pointer to the field, or `/` followed by the name of a parameter.',
          }),
          message: Type.String({ description: 'The expected value or form.' }),
        }),
        {
          description: 'With `VALIDATION_FAILED`: all invalid fields, each with its JSON pointer.',
        },
      ),
    ),
    guesses_left: Type.Optional(
      Type.Integer({ description: 'With `CODE_WRONG`: number of attempts left.' }),
    ),
    unknown_passkey: Type.Optional(UnknownPasskey),
    flow: Type.Optional(OfferedFlow),
  },
  { $id: 'Error', description: 'The body of every error under `/api/sso/v1`.' },
);
export type ErrorBody = Static<typeof ErrorBody>;
