import { MAX_DPOP_CHARACTERS } from '@keywright/contract/dpop';
import { MAX_EMAIL } from '@keywright/contract/identifiers';
import { DEFAULT_LIMIT, MAX_LIMIT } from '@keywright/contract/list';
import { MAX_DETAILS_BYTES } from '@keywright/contract/records/authorization-details';
import { MAX_IMAGE_BYTES } from '@keywright/contract/records/logo';
import { SECRET_MAX_LENGTH } from '@keywright/contract/records/tenant';
import { MAX_TEXT_CHARACTERS } from '@keywright/contract/records/text';
import { MAX_METADATA_BYTES } from '@keywright/contract/records/user';
import { MAX_IMPORT_LINES } from '@keywright/contract/records/user-import';
import { bodyLimitOf, DEFAULT_BODY_BYTES, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { MAX_EVALUATIONS } from '@keywright/contract/routes/evaluation';
import { MAX_SIDE } from '../../../server/src/modules/branding/brand/logo-image.ts';
import { MAX_DEPTH as METADATA_DEPTH } from '../../../server/src/modules/identity/users/user-rules.ts';
import { MAX_LENGTHS } from '../../../server/src/modules/oauth/authorize/request-parameters.ts';
import { MOST_DETAILS } from '../../../server/src/modules/oauth/resources/authorization-details.ts';
import { MAX_FIELDS } from '../../../server/src/platform/http/content.ts';
import { MAX_DEPTH, MAX_MEMBERS, MAX_VALUES } from '../../../server/src/platform/http/json.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_PIPELINED,
  MAX_UNFINISHED_BYTES,
  REQUEST_TIMEOUT_MS,
} from '../../../server/src/platform/http/server.ts';
import { MAX_KEY } from '../../../server/src/tenancy/idempotency.ts';
import { linkToRoute } from '../routes.ts';
import { count, inBytes, inMs, type Limit } from './row.ts';

export const REQUESTS: readonly Limit[] = [
  ...bodies(),
  { what: 'Nesting of JSON', value: `${MAX_DEPTH} levels`, error: 'VALIDATION_FAILED' },
  {
    what: 'Fields of JSON objects in a body',
    value: count(MAX_MEMBERS),
    error: 'VALIDATION_FAILED',
  },
  {
    what: 'Fields and list entries in a body',
    value: count(MAX_VALUES),
    error: 'VALIDATION_FAILED',
  },
  { what: 'Fields of a form', value: count(MAX_FIELDS), error: 'VALIDATION_FAILED' },
  { what: '`Idempotency-Key`', value: `${MAX_KEY} characters`, error: 'VALIDATION_FAILED' },
  { what: 'DPoP proof', value: `${count(MAX_DPOP_CHARACTERS)} characters`, error: 'DPOP_INVALID' },
  ...Object.entries(MAX_LENGTHS).map(([name, length]): Limit => ({
    what: `\`${name}\` of an authorization request`,
    value: `${count(length)} characters`,
  })),
  {
    what: 'Entries of a page of a list',
    value: `${MAX_LIMIT}; default ${DEFAULT_LIMIT}. A larger \`limit\` counts as ${MAX_LIMIT}.`,
  },
  { what: 'Evaluations in a request', value: count(MAX_EVALUATIONS), error: 'VALIDATION_FAILED' },
  {
    what: 'Users in an import request',
    value: count(MAX_IMPORT_LINES),
    error: 'VALIDATION_FAILED',
  },
  { what: 'Email address', value: `${MAX_EMAIL} characters`, error: 'VALIDATION_FAILED' },
  { what: 'Password', value: `${SECRET_MAX_LENGTH} characters`, error: 'VALIDATION_FAILED' },
  {
    what: '`metadata` and `user_metadata` of a user, each',
    value: `${inBytes(MAX_METADATA_BYTES)}, ${METADATA_DEPTH} levels`,
    error: 'VALIDATION_FAILED',
  },
  {
    what: '`authorization_details`',
    value: `${MOST_DETAILS} details, ${inBytes(MAX_DETAILS_BYTES)}`,
    error: 'AUTHORIZATION_DETAILS_INVALID',
  },
  {
    what: 'Logo',
    value: `${inBytes(MAX_IMAGE_BYTES.logo)} (backgrounds ${inBytes(MAX_IMAGE_BYTES.background)}), ${count(MAX_SIDE)} × ${count(MAX_SIDE)} pixels`,
  },
  {
    what: 'Custom text',
    value: `${count(MAX_TEXT_CHARACTERS)} characters`,
    error: 'VALIDATION_FAILED',
  },
  { what: 'Time for the headers of a request', value: inMs(HEADERS_TIMEOUT_MS) },
  { what: 'Time for a whole request', value: inMs(REQUEST_TIMEOUT_MS) },
  { what: 'Time that an idle connection is kept open', value: inMs(KEEP_ALIVE_MS) },
  { what: 'Pipelined requests on a connection', value: count(MAX_PIPELINED) },
  {
    what: 'Incomplete bodies of all requests to a process',
    value: inBytes(MAX_UNFINISHED_BYTES),
    error: 'TOO_MANY_INCOMPLETE_REQUESTS',
  },
];

/** The limits of bodies, from the routes. */
function bodies(): Limit[] {
  const routes = ROUTES.filter(({ method }) => method !== 'GET');
  const others = routes.filter((route) => route.maxBodyBytes !== undefined);
  const patch = routes.find(
    (route) => route.method === 'PATCH' && bodyLimitOf(route) !== DEFAULT_BODY_BYTES,
  );
  if (patch === undefined) throw new Error('No PATCH has its own limit.');
  return [
    { what: 'Body of a request', value: inBytes(DEFAULT_BODY_BYTES), error: 'BODY_TOO_LARGE' },
    {
      what: 'Body of a `PATCH` with a token',
      value: inBytes(bodyLimitOf(patch)),
      error: 'BODY_TOO_LARGE',
    },
    ...others.map((route: Route): Limit => ({
      what: `Body of ${linkToRoute(route)}`,
      value: inBytes(bodyLimitOf(route)),
      error: 'BODY_TOO_LARGE',
    })),
  ];
}
