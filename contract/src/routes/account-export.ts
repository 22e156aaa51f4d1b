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
  description: `Creates the copy in the background. It is available for ${EXPORT_HOURS} hours and replaces the previous copy. If the last request was less than an hour ago, returns that copy instead.`,
  ok: { status: 201, body: ExportRecord },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED'],
});

export const getExport = route({
  id: 'me.get_export',
  method: 'GET',
  path: PATH,
  access: 'user',
  summary: 'Get the state of the copy of the caller’s data',
  description: 'Returns the state of the last requested copy until the copy expires.',
  ok: { status: 200, body: ExportRecord },
  errors: ['NOT_FOUND'],
});

export const readExport = route({
  id: 'me.read_export',
  method: 'GET',
  path: `${PATH}/content`,
  access: 'user',
  fresh: {},
  summary: 'Get the copy of the caller’s data',
  description:
    'Only the user can read it, after a recent login. Agents, applications and administrators cannot. Returns 404 if the copy is not ready.',
  ok: { status: 200, body: AccountExport },
  errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
});

export const EXPORT_ROUTES = [requestExport, getExport, readExport] as const;
