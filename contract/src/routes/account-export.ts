import { AccountExport, EXPORT_HOURS, ExportRecord } from '../records/account-export.ts';
import { API_BASE, route } from '../route.ts';

const PATH = `${API_BASE}/me/export` as const;

export const requestExport = route({
  id: 'me.request_export',
  method: 'POST',
  path: PATH,
  access: 'user',
  fresh: {},
  summary: 'Ask for a copy of one’s data',
  description: `It is made in the background, and can be read for ${EXPORT_HOURS} hours. It replaces the one before; within an hour, that one is answered instead.`,
  ok: { status: 201, body: ExportRecord },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED'],
});

export const getExport = route({
  id: 'me.get_export',
  method: 'GET',
  path: PATH,
  access: 'user',
  summary: 'Read whether the copy of one’s data is ready',
  description: 'The last one that was asked for, until it expires.',
  ok: { status: 200, body: ExportRecord },
  errors: ['NOT_FOUND'],
});

export const readExport = route({
  id: 'me.read_export',
  method: 'GET',
  path: `${PATH}/content`,
  access: 'user',
  fresh: {},
  summary: 'Read the copy of one’s data',
  description:
    'For the user in person, after a recent login: no agent, application or administrator reads it. One that is not ready is not found.',
  ok: { status: 200, body: AccountExport },
  errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
});

export const EXPORT_ROUTES = [requestExport, getExport, readExport] as const;
