/** Why a call was not made, or why it failed. The reasons are stable: delivery logs show them. */
export const EGRESS_REASONS = {
  url_invalid: 'The URL does not have the form https://host/path.',
  scheme_not_allowed: 'Only https is allowed, except for hosts in KEYWRIGHT_EGRESS_ALLOW.',
  port_not_allowed: 'Only port 443 is allowed, except for hosts in KEYWRIGHT_EGRESS_ALLOW.',
  tls_required: 'Only TLS or STARTTLS is allowed.',
  mail_port_not_allowed: 'Only ports 25, 465, 587 and 2525 are allowed.',
  address_not_allowed:
    'The IP address of the host is not public. If the host is yours, add it to KEYWRIGHT_EGRESS_ALLOW.',
  request_invalid: 'The request is invalid.',
  too_busy: 'Too many concurrent calls.',
  closed: 'The service is shutting down.',
  name_not_resolved: 'The host name does not resolve to an IP address.',
  connect_failed: 'Could not connect to the host.',
  tls_failed: 'The TLS certificate of the host is not valid for its name.',
  timed_out: 'The call timed out.',
  connection_lost: 'The connection was closed before the response was complete.',
  redirected: 'The response was a redirect. Redirects are not followed.',
  answer_malformed: 'The response is not valid HTTP/1.1.',
  answer_too_large: 'The response is too large.',
  status_not_ok: 'The response status is not 200.',
  not_json: 'The response is not JSON.',
} as const;

export type EgressReason = keyof typeof EGRESS_REASONS;

/** Thrown within the egress; callers of `send` get an outcome instead. */
export class EgressError extends Error {
  readonly reason: EgressReason;
  readonly detail: string;

  constructor(reason: EgressReason, code?: string) {
    const detail = describe(reason, code);
    super(detail);
    this.name = 'EgressError';
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * Returns the message of a reason, with an error code if there is one. Messages of other errors are omitted: they
 * contain addresses and data from the remote server. Error codes of undici mean nothing to users.
 */
export function describe(reason: EgressReason, code?: string): string {
  const sentence = EGRESS_REASONS[reason];
  return code !== undefined && /^(?!UND_)[A-Z0-9_]{1,64}$/.test(code)
    ? `${sentence} (${code})`
    : sentence;
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
