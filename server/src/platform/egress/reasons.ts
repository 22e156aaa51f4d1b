/** Why a call was not made, or had no answer. Stable: they are shown in delivery logs. */
export const EGRESS_REASONS = {
  url_invalid: 'The address is not a URL of the form https://host/path.',
  scheme_not_allowed: 'Only https is called.',
  port_not_allowed: 'Only port 443 is called.',
  address_not_allowed: 'The host is at an address that is not public.',
  request_invalid: 'The request cannot be sent as it is.',
  too_busy: 'Too many calls are under way.',
  closed: 'The service is shutting down.',
  name_not_resolved: 'The name of the host has no address.',
  connect_failed: 'No connection to the host could be made.',
  tls_failed: 'The host could not show, over TLS, that it is the one that was called.',
  timed_out: 'The answer was not complete in time.',
  connection_lost: 'The connection ended before the answer was complete.',
  redirected: 'The answer was a redirect; redirects are not followed.',
  answer_malformed: 'The answer is not HTTP/1.1.',
  answer_too_large: 'The answer is too large.',
  status_not_ok: 'The answer has another status than 200.',
  not_json: 'The answer is not JSON.',
} as const;

export type EgressReason = keyof typeof EGRESS_REASONS;

/** What the parts of the egress tell each other; callers of `send` get an outcome and never see it. */
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
 * The sentence of a reason, with the code of an error where there is one. The texts of foreign errors stay out:
 * they hold addresses, and what the other end sent. Codes of undici say nothing to anyone else.
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
