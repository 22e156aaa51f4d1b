import { pathId, TenantIdSchema } from '@keywright/contract/ids';
import { ISSUER_PATH } from '@keywright/contract/issuer-routes';
import { route, type Route } from '@keywright/contract/route';
import { closed } from '@keywright/contract/shape';
import Type from 'typebox';

const params = Type.Object({ tenant_id: pathId(TenantIdSchema) });
const line = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: ['Ada'] });
const POLICY = { styles: true, scripts: true, forms: true } as const;

const HERE = { tenant: 'path', errorForm: 'page', form: 'page', params } as const;

export const enterForm = route({
  ...HERE,
  id: 'notes.enter_form',
  method: 'GET',
  path: `${ISSUER_PATH}/test/enter`,
  access: 'tenant',
  summary: 'A page with a form',
  ok: { kind: 'html', status: 200, policy: POLICY },
  errors: [],
});

export const enterSent = route({
  ...HERE,
  id: 'notes.enter',
  method: 'POST',
  path: enterForm.path,
  access: 'tenant',
  summary: 'Opens a browser session',
  body: closed({ name: line('Who it is.') }),
  cookies: ['session'],
  ok: { kind: 'redirect', status: 303, policy: POLICY },
  errors: ['INVALID_CREDENTIALS'],
});

export const notes = route({
  ...HERE,
  id: 'notes.list',
  method: 'GET',
  path: `${ISSUER_PATH}/test/notes`,
  access: 'browser',
  summary: 'A page for logged-in users',
  ok: { kind: 'html', status: 200, policy: POLICY },
  errors: [],
});

export const notesSent = route({
  ...HERE,
  id: 'notes.write',
  method: 'POST',
  path: notes.path,
  access: 'browser',
  summary: 'Writes a note',
  body: closed({ note: line('The note.') }),
  ok: { kind: 'redirect', status: 303, policy: POLICY },
  errors: [],
});

export const draft = route({
  id: 'notes.draft',
  method: 'GET',
  path: `${ISSUER_PATH}/test/draft`,
  access: 'browser',
  tenant: 'path',
  errorForm: 'page',
  params,
  summary: 'A page with what another site sent',
  query: closed({ note: line('The note.') }),
  ok: { kind: 'html', status: 200, policy: { ...POLICY, opener: true } },
  errors: [],
});

export const draftSent = route({
  ...HERE,
  id: 'notes.send_draft',
  method: 'POST',
  path: draft.path,
  access: 'tenant',
  form: 'replayed',
  summary: 'Takes a note of another site',
  body: closed({ note: line('The note.') }),
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});

export const notesLogout = route({
  ...HERE,
  id: 'notes.leave',
  method: 'POST',
  path: `${ISSUER_PATH}/test/leave`,
  access: 'browser',
  summary: 'Ends the browser session',
  body: closed({}),
  cookies: ['session'],
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});

/** A page script's request: JSON, authenticated by the session cookie. */
export const notesCleared = route({
  id: 'notes.clear',
  method: 'POST',
  path: `${ISSUER_PATH}/test/clear`,
  access: 'browser',
  tenant: 'path',
  params,
  summary: 'Deletes the notes',
  ok: { status: 200, body: closed({ cleared: Type.Integer() }) },
  errors: [],
});

/** Routes of a test, in addition to those of the contract. */
export const NOTES_ROUTES: readonly Route[] = [
  enterForm,
  enterSent,
  notes,
  notesSent,
  draft,
  draftSent,
  notesLogout,
];
