import Type from 'typebox';
import { pathId, SignalStreamIdSchema } from '../ids.ts';
import { EXAMPLE_JWT } from '../records/tokens.ts';
import { route } from '../route.ts';
import { byIssuer, REFUSALS } from './receiver-routes.ts';

const EXAMPLE_JTI = 'set_3f2b0c4f9a8d4f3e8f6f5a0f7c1d2e3b';
const Jti = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The `jti` of an event.',
  examples: [EXAMPLE_JTI],
});

export const POLL_ROUTES = byIssuer(
  route({
    id: 'signals.poll',
    method: 'POST',
    path: '/oauth/ssf/poll/:stream_id',
    access: 'tenant',
    summary: 'Poll the events of a stream, and acknowledge earlier ones',
    description:
      'Polls events (RFC 8936). Acknowledged events are not returned again. All others are, until they are seven days old. Without `returnImmediately`, the response waits up to 25 seconds for an event. The scope is `ssf.manage`.',
    params: Type.Object({ stream_id: pathId(SignalStreamIdSchema) }),
    body: Type.Object(
      {
        maxEvents: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              'Maximum number of events. Default and maximum: 100. With 0, returns no events and does not wait.',
            examples: [10],
          }),
        ),
        returnImmediately: Type.Optional(
          Type.Boolean({
            description: 'Whether to return without waiting for an event. Default: false.',
          }),
        ),
        ack: Type.Optional(
          Type.Array(Jti, {
            maxItems: 200,
            description: 'Events that the receiver has processed.',
          }),
        ),
        setErrs: Type.Optional(
          Type.Record(
            Type.String({ maxLength: 64 }),
            Type.Object(
              {
                err: Type.String({ maxLength: 64, description: 'Error code (RFC 8935 §2.4).' }),
                description: Type.Optional(
                  Type.String({ maxLength: 1024, description: 'A description.' }),
                ),
              },
              { description: 'What is wrong with the event.' },
            ),
            {
              maxProperties: 200,
              description:
                'Events that the receiver cannot process, by `jti`. They are not returned again.',
              examples: [{}],
            },
          ),
        ),
      },
      { examples: [{ maxEvents: 10, returnImmediately: true, ack: [EXAMPLE_JTI] }] },
    ),
    ok: {
      status: 200,
      body: Type.Object(
        {
          sets: Type.Record(Type.String(), Type.String(), {
            description: 'Events by `jti`, each a signed SET (RFC 8417).',
            examples: [{ [EXAMPLE_JTI]: EXAMPLE_JWT }],
          }),
          moreAvailable: Type.Optional(
            Type.Boolean({ description: 'Whether more events are available.' }),
          ),
        },
        { $id: 'PolledSignals', description: 'Events of a stream (RFC 8936 §2.3).' },
      ),
    },
    errors: [...REFUSALS, 'VALIDATION_FAILED', 'NOT_FOUND'],
  }),
);
