import { AccountExport, EXPORT_HOURS, ExportRecord } from '../records/account-export.ts';
import { API_BASE, route } from '../route.ts';

const PATH = `${API_BASE}/me/export` as const;

export const requestExport = route({
  id: 'me.request_export',
  method: 'POST',
  path: PATH,
  access: 'user',
  fresh: {},
  summary: 'Request a copy of the caller’s data',
  description: `Creates the copy in the background; it can be read for ${EXPORT_HOURS} hours and replaces the previous copy. Within an hour of a request, returns that copy instead.`,
  ok: { status: 201, body: ExportRecord },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED'],
});

export const getExport = route({
  id: 'me.get_export',
  method: 'GET',
  path: PATH,
  access: 'user',
  summary: 'Read whether the copy of the caller’s data is ready',
  description: 'Returns the state of the last requested copy, until it expires.',
  ok: { status: 200, body: ExportRecord },
  errors: ['NOT_FOUND'],
});

export const readExport = route({
  id: 'me.read_export',
  method: 'GET',
  path: `${PATH}/content`,
  access: 'user',
  fresh: {},
  summary: 'Read the copy of the caller’s data',
  description:
    'For the user in person, after a recent login: agents, applications and administrators cannot read it. A copy that is not ready is not found.',
  ok: { status: 200, body: AccountExport },
  errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
});

export const EXPORT_ROUTES = [requestExport, getExport, readExport] as const;
