/** `fetch`, as far as it is used: a function in its place gets the address as text. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** The global `fetch`. Some runtimes insist on the global object as its receiver. */
export const globalFetch: Fetch = (address, init) => globalThis.fetch(address, init);
