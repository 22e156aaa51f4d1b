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
    issuer: url('The tenant’s issuer, as in each event.', ISSUER),
    jwks_uri: url('URL of the keys that verify events.', `${ISSUER}/.well-known/jwks.json`),
    delivery_methods_supported: Type.Array(url('A delivery method.', DELIVERY_METHODS.push), {
      description: 'Push (RFC 8935) and poll (RFC 8936).',
    }),
    configuration_endpoint: url('URL where streams are managed.', `${ISSUER}/oauth/ssf/streams`),
    status_endpoint: url(
      'URL where the status of a stream is managed.',
      `${ISSUER}/oauth/ssf/status`,
    ),
    verification_endpoint: url(
      'URL where verification events are requested.',
      `${ISSUER}/oauth/ssf/verify`,
    ),
    critical_subject_members: Type.Array(url('A member of complex subjects.', 'user'), {
      description: 'Members of a subject that receivers must understand.',
    }),
    authorization_schemes: Type.Array(
      Type.Object(
        { spec_urn: url('URI of the specification.', 'urn:ietf:rfc:6749') },
        { description: 'How receivers authenticate.' },
      ),
      { description: 'OAuth 2.0: an access token for the scopes `ssf.manage` and `ssf.read`.' },
    ),
    default_subjects: url('Subjects that a new stream has by default.', 'ALL'),
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
  summary: 'Get the transmitter metadata of a tenant',
  description:
    'Lists the URLs where receivers of shared signals manage their streams (OpenID Shared Signals Framework 1.0 §7).',
  ok: { status: 200, body: TransmitterMetadata },
  other: [NOT_MODIFIED],
  errors: ['OAUTH_OFF'],
});

const getTransmitterOfIssuer = atIssuer(getTransmitter, {
  id: 'signals.configuration_by_issuer',
  path: `${WELL_KNOWN}${ISSUER_PATH}`,
  summary: 'Get the transmitter metadata of an issuer',
  description: 'The well-known part precedes the issuer’s path (§7.2).',
});

export const TRANSMITTER_ROUTES = [getTransmitter, getTransmitterOfIssuer] as const;
