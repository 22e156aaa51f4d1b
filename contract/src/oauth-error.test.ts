import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { type ErrorCode, ERRORS } from './errors.ts';
import { OAuthErrorBody, oauthErrorBody } from './oauth-error.ts';

/**
 * RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 9449 §5 and §8, RFC 9470 §4,
 * draft-ietf-oauth-first-party-apps §5.2.2.1.
 */
const NAMES = [
  'unauthorized_client',
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'invalid_authorization_details',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unmet_authentication_requirements',
  'invalid_request_object',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'server_error',
  'invalid_token',
  'invalid_client_metadata',
  'invalid_redirect_uri',
  'temporarily_unavailable',
  'insufficient_authorization',
  'redirect_to_web',
  'invalid_session',
];

const DOCS = 'https://id.example.com/docs';

describe('an OAuth error', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    test(`${code} has a standard name, a description, and the fields of every error`, () => {
      const body = oauthErrorBody(code, DOCS);
      assert.ok(Compile(OAuthErrorBody).Check(body));
      assert.deepEqual(Object.keys(body).toSorted(), [
        'code',
        'detail',
        'doc',
        'error',
        'error_description',
        'error_uri',
      ]);
      assert.ok(NAMES.includes(body.error), body.error);
      assert.equal(body.code, code);
      // RFC 6749 §5.2: a URI reference without spaces, quotation marks and backslashes.
      assert.match(body.error_uri, /^[\x21\x23-\x5b\x5d-\x7e]+$/);
      assert.equal(body.error_uri, body.doc);
      assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    });
  }

  const cases = {
    CLIENT_INVALID: 'invalid_client',
    GRANT_INVALID: 'invalid_grant',
    CLIENT_UNAUTHORIZED: 'unauthorized_client',
    SCOPE_INVALID: 'invalid_scope',
    TARGET_INVALID: 'invalid_target',
    AUTHORIZATION_DETAILS_INVALID: 'invalid_authorization_details',
    GRANT_TYPE_UNSUPPORTED: 'unsupported_grant_type',
    RESPONSE_TYPE_UNSUPPORTED: 'unsupported_response_type',
    AUTHORIZATION_PENDING: 'authorization_pending',
    SLOW_DOWN: 'slow_down',
    DEVICE_CODE_EXPIRED: 'expired_token',
    DEVICE_DENIED: 'access_denied',
    UNMET_AUTHENTICATION: 'unmet_authentication_requirements',
    VALIDATION_FAILED: 'invalid_request',
    JSON_INVALID: 'invalid_request',
    TENANT_NOT_FOUND: 'invalid_request',
    // RFC 8693 §2.2.2.
    EXCHANGE_REFUSED: 'invalid_request',
    INSUFFICIENT_AUTHORIZATION: 'insufficient_authorization',
    REDIRECT_TO_WEB: 'redirect_to_web',
    AUTH_SESSION_INVALID: 'invalid_session',
  } as const;
  for (const [code, name] of Object.entries(cases)) {
    test(`${code} is ${name}`, () => {
      assert.equal(oauthErrorBody(code as ErrorCode, DOCS).error, name);
    });
  }

  test('An OAuth error has a description in the characters that the standard allows', () => {
    const errors = [{ path: '/scope', message: 'is odd' }];
    const options = { detail: 'A "b" \\ ü\n.', errors };
    assert.deepEqual(oauthErrorBody('VALIDATION_FAILED', DOCS, options), {
      error: 'invalid_request',
      error_description: "A 'b' ' ''.",
      detail: 'A "b" \\ ü\n.',
      code: 'VALIDATION_FAILED',
      doc: 'https://id.example.com/docs/errors/validation_failed',
      error_uri: 'https://id.example.com/docs/errors/validation_failed',
      errors,
    });
  });
});
