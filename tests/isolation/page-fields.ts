import type { ErrorCode } from '@keywright/contract/errors';

/** The fields of each form, and the query of each page. New pages must be added here. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'notes.enter': { name: 'Ada' },
  'notes.write': { note: 'a note' },
  'notes.draft': { note: 'a draft' },
  'notes.send_draft': { note: 'a draft' },
  'notes.leave': {},
  'console.login': {},
  'service.root': {},
  'branding.show_preview': { of: 'a-preview' },
  'oauth.test_login': { test: 'a-test' },
  'oauth.test_login_result': { state: 'a-state', code: 'a-code' },
  'console.first_login': { token: 'a-token' },
  'console.log_in_first': { token: 'a-token', action: 'log_in' },

  'providers.callback': { state: 'a-state' },
  'providers.callback_form': { state: 'a-state' },
  ...Object.fromEntries(
    ['', '_by_issuer'].flatMap((at) => [
      [`oauth.authorize${at}`, { client_id: 'client_unknown' }],
      [`oauth.authorize_form${at}`, { client_id: 'client_unknown' }],
      [`oauth.continue${at}`, { request: 'a-request' }],
      [`oauth.returned${at}`, { request: 'a-request', handoff: 'a-handoff' }],
      [`oauth.link${at}`, { link_token: 'a-token' }],
      [`oauth.invitation${at}`, { token: 'a-token' }],
      [`oauth.open_invitation${at}`, { token: 'a-token', action: 'accept' }],
      [`oauth.undo${at}`, { token: 'a-token' }],
      [`oauth.undo_change${at}`, { token: 'a-token', action: 'undo' }],
      [`oauth.device${at}`, { user_code: 'a code' }],
      [`oauth.enter_device${at}`, { user_code: 'a code', action: 'device' }],
      [`oauth.submit${at}`, { request: 'a-request', action: 'login' }],
      [`account.show${at}`, {}],
      [`account.submit${at}`, { section: 'sessions', action: 'end_others' }],
      [`oauth.logout${at}`, {}],
      [`oauth.logout_form${at}`, { state: 'a-state' }],
      [`oauth.logout_page${at}`, { request: 'a-request' }],
      [`oauth.logout_confirm${at}`, { request: 'a-request', action: 'logout' }],
      [`oauth.logged_out_page${at}`, { request: 'a-request' }],
    ]),
  ),
};
/** Pages that reject these fields: the state was never issued, or logins exist only at the address of the issuer. */
export const REFUSED: Readonly<Record<string, ErrorCode>> = {
  'providers.callback': 'PROVIDER_REFUSED',
  'branding.show_preview': 'FORM_TOO_OLD',
  'oauth.test_login': 'FORM_TOO_OLD',
  'oauth.test_login_result': 'FORM_TOO_OLD',
  'console.first_login': 'ISSUER_ELSEWHERE',
  'console.log_in_first': 'ISSUER_ELSEWHERE',

  ...Object.fromEntries(
    [
      'oauth.authorize',
      'oauth.continue',
      'oauth.submit',
      'oauth.returned',
      'oauth.link',
      'oauth.invitation',
      'oauth.open_invitation',
      'oauth.undo',
      'oauth.undo_change',
      'oauth.device',
      'oauth.enter_device',
      'oauth.logout',
      'oauth.logout_page',
      'oauth.logout_confirm',
      'oauth.logged_out_page',
      'account.show',
      'account.submit',
    ].flatMap((name) => [
      [name, 'ISSUER_ELSEWHERE'],
      [`${name}_by_issuer`, 'ISSUER_ELSEWHERE'],
    ]),
  ),
};
