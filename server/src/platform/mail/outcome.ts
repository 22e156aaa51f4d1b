import { codeOf, EgressError } from '../egress/reasons.ts';
import type { Reason } from '../coded-reason.ts';
import type { MailOutcome } from './mail.ts';

/** Responses of a server are truncated to this length. */
const MAX_CHARACTERS = 200;

/** Returns the outcome that an attempt's error stands for. */
export function outcomeOf(error: unknown): MailOutcome {
  if (error instanceof EgressError) {
    const outcome = SETTINGS_REASONS.includes(error.reason) ? 'refused' : 'unreachable';
    return { outcome, reason: { code: error.reason, detail: error.detail } };
  }
  const { responseCode = 0, response = '', originalCode } = (error ?? {}) as MailError;
  const code = originalCode ?? codeOf(error) ?? '';
  if (LOGIN_CODES.includes(code)) return { outcome: 'refused', reason: loginRefused(responseCode) };
  if (isTlsError(code)) {
    const reason = { code: 'tls_failed', detail: `${TLS_FAILED}${nameOf(code)}` };
    return { outcome: 'refused', reason };
  }
  if (responseCode >= 500) {
    const isUnknown = /^\d{3}[ -]5\.1\.[0-9]{1,3}\b/.test(response);
    return { outcome: 'rejected', isUnknown, reason: said(response, responseCode) };
  }
  if (responseCode >= 400) return { outcome: 'deferred', reason: said(response, responseCode) };
  if (code === 'EABORT') return { outcome: 'unreachable', reason: TIMED_OUT };
  const reason = { code: 'connection_lost', detail: `${LOST}${nameOf(code)}` };
  return { outcome: 'unreachable', reason };
}

/** An error of nodemailer. */
interface MailError {
  /** Of the socket. */
  readonly originalCode?: string;
  /** The server's answer. */
  readonly responseCode?: number;
  readonly response?: string;
}

const SETTINGS_REASONS: readonly string[] = [
  'url_invalid',
  'tls_required',
  'mail_port_not_allowed',
  'address_not_allowed',
];
const LOGIN_CODES = ['EAUTH', 'ENOAUTH'];
const TLS_FAILED = 'The server does not offer TLS, or its certificate is not valid for its name.';
const TIMED_OUT = { code: 'timed_out', detail: 'The server took too long.' };
const LOST = 'The connection was closed before the server accepted the message.';

function isTlsError(code: string): boolean {
  return /^(ETLS$|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code);
}

function nameOf(code: string): string {
  return /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
}

/** Omits the server's text: the response to a login can repeat the login. */
function loginRefused(status: number): Reason {
  const shown = status > 0 ? ` (${status})` : '';
  const detail = `The server rejected the user name or the password.${shown}`;
  return { code: 'login_refused', detail };
}

function said(response: string, status: number): Reason {
  const text = response.replaceAll(/[\p{Cc}\s]+/gu, ' ');
  const short = text.slice(0, MAX_CHARACTERS);
  // Cuts at a word boundary: the caller would not recognize part of a word as its secret.
  const detail = text === short ? short : short.replace(/\S+$/, '…');
  return { code: `smtp_${status}`, detail };
}
