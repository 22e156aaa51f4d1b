import { ApiError, type FieldError } from '../../../sdk/src/client/api-error.ts';
import { SecretLostError } from '../../../sdk/src/client/secret-lost-error.ts';
import { CommandError, EXIT, UsageError } from '../command.ts';
import { UnexpectedAnswerError } from './bounded-fetch.ts';

interface Attempt {
  readonly url: string;
  readonly profile?: string | undefined;
  /** The timeout in seconds, if it expired. */
  readonly seconds: number | undefined;
}

const UNAVAILABLE = 503;

/** Error codes of Node.js, its TLS and its HTTP client, with the message for each. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
};

const AUTHORITY =
  'this machine does not trust its issuer. If that is your own CA, add it with NODE_EXTRA_CA_CERTS';
const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not yet valid: check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for a different host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
};

/** Returns the one-line message for a failed call. */
export function failureOf(error: unknown, attempt: Attempt): Error {
  if (error instanceof CommandError || error instanceof UsageError) return error;
  if (error instanceof ApiError) return rejected(error, attempt);
  if (error instanceof SecretLostError) {
    return new CommandError('SECRET_LOST', error.message, EXIT.failed, idOf(error.requestId));
  }
  const { url, seconds } = attempt;
  if (seconds !== undefined) {
    const unit = seconds === 1 ? 'second' : 'seconds';
    return unreachable(`${url} did not respond within ${seconds} ${unit}.`);
  }
  const isForeign = error instanceof UnexpectedAnswerError || error instanceof SyntaxError;
  if (isForeign) return notKeywright(url);
  return unreachable(`${url} cannot be reached: ${reasonOf(error)}.`);
}

function unreachable(message: string): CommandError {
  return new CommandError('UNREACHABLE', message, EXIT.unavailable);
}

function notKeywright(url: string): CommandError {
  return new CommandError(
    'UNEXPECTED_ANSWER',
    `${url} does not respond like Keywright. Is the URL correct?`,
  );
}

function rejected(error: ApiError, { url, profile }: Attempt): CommandError {
  const { code, status, doc, requestId, errors } = error;
  if (code === 'UNEXPECTED_ANSWER') {
    const redirect = status >= 300 && status < 400;
    const what = redirect
      ? `responded with a redirect (${status}), which is not followed because the request contains a credential`
      : `responded with ${status}, but not like Keywright`;
    return new CommandError(code, `${url} ${what}. Is the URL correct?`, EXIT.failed, {
      status,
    });
  }
  const request = requestId === undefined ? '' : `, request ${requestId}`;
  const message = [
    error.message,
    ...errors.map(sentenceOf),
    adviceOn(error, profile),
    `(${code}${request})`,
  ];
  return new CommandError(
    code,
    message.filter((part) => part !== '').join(' '),
    status === UNAVAILABLE ? EXIT.unavailable : EXIT.failed,
    {
      status,
      ...(doc === undefined ? {} : { doc }),
      ...idOf(requestId),
      ...(errors.length === 0 ? {} : { errors }),
    },
  );
}

/** The path is a JSON pointer into the body, for example `/roles/0`. */
function sentenceOf(error: unknown): string {
  // The response is untrusted.
  const { path, message } = (error ?? {}) as Partial<Readonly<Record<keyof FieldError, unknown>>>;
  const where = typeof path === 'string' && path !== '' ? path : 'The body';
  return `${where}: ${typeof message === 'string' ? message : 'is invalid'}.`;
}

function adviceOn({ status, code }: ApiError, profile: string | undefined): string {
  if (status !== 401 || code === 'INVALID_CREDENTIALS' || profile === undefined) return '';
  return `Sign in again: keywright login --profile ${profile}.`;
}

function idOf(requestId: string | undefined) {
  return requestId === undefined ? {} : { request_id: requestId };
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code in CERTIFICATE) return `its certificate was rejected (${code}): ${CERTIFICATE[code]}`;
  if (code in REASONS) return `${REASONS[code]} (${code})`;
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code)) return `the TLS handshake failed (${code})`;
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

/** The code of the innermost error that has one. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const inner = codeOf(error.cause);
  const code = (error as NodeJS.ErrnoException).code;
  return inner !== '' || typeof code !== 'string' ? inner : code;
}
