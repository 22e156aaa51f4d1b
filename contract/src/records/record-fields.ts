import Type from 'typebox';

/** A time in a response (SPEC resources 1). */
export function timestamp(description: string) {
  return Type.String({ format: 'date-time', description });
}

export const CreatedAt = timestamp('Creation time (ISO 8601, UTC).');

const EXPIRES_AT = '2027-02-20T09:30:00.000Z';

export function expiresAt(description: string) {
  return Type.String({ format: 'date-time', description, examples: [EXPIRES_AT] });
}

/** A time, or null if the event has not happened. */
export function timestampOrNull(description: string) {
  return Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description,
    examples: [null],
  });
}

/** A display name. */
export function nameOf(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

export const GrantedScopes = Type.Array(
  Type.String({ description: '`<action>:<resource>`', examples: ['read:users'] }),
  { description: 'Scopes, each of the form `<action>:<resource>`.' },
);
