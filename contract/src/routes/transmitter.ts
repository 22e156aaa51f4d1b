import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { route } from '../route.ts';
import { DELIVERY_METHODS } from '../signals.ts';
import { NOT_MODIFIED } from './fields.ts';

const url = (description: string, example: string) =>
  Type.String({ description, examples: [example] });
const ISSUER = 'https://id.example.com/t/org_acme';

const TransmitterMetadata = Type.Object(
  {
    spec_version: url('Version of the framework.', '1_0'),
    issuer: url('The issuer of the tenant, as in each event.', ISSUER),
    jwks_uri: url('The keys that verify events.', `${ISSUER}/.well-known/jwks.json`),
    delivery_methods_supported: Type.Array(url('A way of delivery.', DELIVERY_METHODS.push), {
      description: 'Push (RFC 8935) and poll (RFC 8936).',
    }),
    configuration_endpoint: url('Where streams are managed.', `${ISSUER}/oauth/ssf/streams`),
    status_endpoint: url('Where a stream is paused.', `${ISSUER}/oauth/ssf/status`),
    verification_endpoint: url('Where a stream is tested.', `${ISSUER}/oauth/ssf/verify`),
    critical_subject_members: Type.Array(url('A member of complex subjects.', 'user'), {
      description: 'Members of a subject that receivers must understand.',
    }),
    authorization_schemes: Type.Array(
      Type.Object(
        { spec_urn: url('The specification.', 'urn:ietf:rfc:6749') },
        { description: 'How receivers authenticate.' },
      ),
      { description: 'OAuth 2.0: an access token for the scopes `ssf.manage` and `ssf.read`.' },
    ),
    default_subjects: url('Which subjects a new stream has.', 'ALL'),
  },
  {
    $id: 'TransmitterConfiguration',
    description: 'Metadata of a transmitter (Shared Signals Framework §7.1).',
  },
);

const WELL_KNOWN = '/.well-known/ssf-configuration';

export const getTransmitter = route({
  id: 'signals.configuration',
  method: 'GET',
  path: WELL_KNOWN,
  access: 'tenant',
  cors: 'any',
  summary: 'Shared signals: metadata of the tenant that the request names',
  description: 'Where receivers manage their streams (OpenID Shared Signals Framework 1.0 §7).',
  ok: { status: 200, body: TransmitterMetadata },
  other: [NOT_MODIFIED],
  errors: ['OAUTH_OFF'],
});

const getTransmitterOfIssuer = atIssuer(getTransmitter, {
  id: 'signals.configuration_by_issuer',
  path: `${WELL_KNOWN}${ISSUER_PATH}`,
  summary: 'Shared signals: metadata of an issuer',
  description: 'The well-known part comes before the path of the issuer (§7.2).',
});

export const TRANSMITTER_ROUTES = [getTransmitter, getTransmitterOfIssuer] as const;
