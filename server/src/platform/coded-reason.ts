/** Why something failed or was not done. */
export interface Reason {
  /** Stable, such as `smtp_550`. */
  readonly code: string;
  /** A sentence for people. */
  readonly detail?: string;
}

/** A reason as rows, events and logs have it, such as `timed_out: The server took too long.` */
export function reasonText({ code, detail }: Reason): string {
  return detail === undefined ? code : `${code}: ${detail}`;
}

/** The reverse of `reasonText`. */
export function parseReason(text: string): Reason {
  const end = text.indexOf(': ');
  return end < 0 ? { code: text } : { code: text.slice(0, end), detail: text.slice(end + 2) };
}
