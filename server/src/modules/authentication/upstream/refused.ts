/** A login that the provider did not confirm, or whose answer cannot be used. The reason is for the audit log. */
export class UpstreamRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The identity provider cannot be used: ${reason}`);
    this.name = 'UpstreamRefused';
    this.reason = reason;
  }
}
