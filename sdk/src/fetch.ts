/** The part of `fetch` that is used: a replacement gets the URL as a string. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** The global `fetch`. Some runtimes insist on the global object as its receiver. */
export const globalFetch: Fetch = (address, init) => globalThis.fetch(address, init);
