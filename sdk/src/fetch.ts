/** The part of `fetch` that is used: a replacement gets the URL as a string. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** Calls the global `fetch` as a method, because some runtimes require the global object as its receiver. */
export const globalFetch: Fetch = (address, init) => globalThis.fetch(address, init);
