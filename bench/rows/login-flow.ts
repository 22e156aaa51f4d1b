import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import { insertMailedFlows, insertProvenFlows, type OpenFlow } from '../target/flows.ts';
import { API, type Row, type Scene, tenantHeaders } from './row.ts';

/** Wrong codes, of the five that a flow compares. */
const WRONG_CODES = 4;

/** Codes and links are offered where email can be sent; these rows send none. */
const MAIL = {
  KEYWRIGHT_SMTP_URL: 'smtps://localhost:465',
  KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
};

/**
 * A login by an emailed code, up to the tokens, on a device from which the user has logged in: each flow once.
 */
export const code: Row = {
  name: 'flow-code',
  floor: 'sign',
  env: MAIL,
  isFresh: true,
  needsSql: true,
  async traffic(scene) {
    const flows = await insertMailedFlows(scene, scene.requests);
    return stepsOf(scene, 'code', flows, { status: 200, contains: '"refresh_token":"' });
  },
};

/** A wrong code, which is counted, compared, and rejected. */
export const wrongCode: Row = {
  name: 'flow-wrong-code',
  floor: 'bare-http',
  env: MAIL,
  isFresh: true,
  needsSql: true,
  async traffic(scene) {
    const flows = await insertMailedFlows(scene, Math.ceil(scene.requests / WRONG_CODES));
    const wrong = flows.map(({ id, token, code: right }) => {
      return { id, token, code: right === '00000000' ? '00000001' : '00000000' };
    });
    const expected = { status: 400, contains: '"CODE_WRONG"' };
    return stepsOf(scene, 'code', wrong, expected, WRONG_CODES);
  },
};

/** The code of an authenticator app after the password, up to the tokens. */
export const totp: Row = {
  name: 'flow-totp',
  floor: 'sign',
  isFresh: true,
  needsSql: true,
  async traffic(scene) {
    const flows = await insertProvenFlows(scene, scene.requests);
    return stepsOf(scene, 'totp', flows, { status: 200, contains: '"refresh_token":"' });
  },
};

const METHODS = `${API}/auth/methods`;

/** The login methods of a tenant. */
export const loginMethods: Row = {
  name: 'login-methods',
  floor: 'bare-http',
  bar: { floorTimes: 2 },
  traffic: ({ seed, connections }) => ({
    ...repeated(httpRequest('GET', METHODS, tenantHeaders(seed.tenantId)), connections),
    expected: { status: 200, contains: '"methods"' },
  }),
};

/** The same with its `ETag`. */
export const loginMethodsUnchanged: Row = {
  name: 'login-methods-304',
  floor: 'bare-http',
  bar: { floorTimes: 2 },
  async traffic({ seed, url, connections }) {
    const headers = tenantHeaders(seed.tenantId);
    const etag = (await fetch(`${url}${METHODS}`, { headers })).headers.get('etag');
    if (etag === null) throw new Error('The methods have no ETag.');
    const request = httpRequest('GET', METHODS, { ...headers, 'if-none-match': etag });
    return { ...repeated(request, connections), expected: { status: 304, contains: etag } };
  },
};

function repeated(request: string, connections: number): Pick<Traffic, 'scripts'> {
  const script = { kind: 'cycle', requests: [request] } as const;
  return { scripts: Array.from({ length: connections }, () => script) };
}

/** One step of each of these flows, this many times. */
function stepsOf(
  { seed, connections }: Scene,
  step: 'code' | 'totp',
  flows: readonly OpenFlow[],
  expected: Traffic['expected'],
  times = 1,
): Traffic {
  const headers = tenantHeaders(seed.tenantId);
  const requestOf = ({ id, token, code: flowCode, deviceToken }: OpenFlow) => {
    const body = { flow_token: token, code: flowCode, device_token: deviceToken };
    return httpRequest('POST', `${API}/auth/flows/${id}/${step}`, headers, body);
  };
  const scripts = dealt(flows, connections).map((mine) => {
    const requests = mine.flatMap((flow) => Array<string>(times).fill(requestOf(flow)));
    return { kind: 'once', requests } as const;
  });
  return { scripts, expected };
}
