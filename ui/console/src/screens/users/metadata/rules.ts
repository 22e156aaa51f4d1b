// The rules of metadata, and how it changed while a user edited it.

import { canonicalJson } from '@keywright/contract/canonical-json';
import { type Fault, faultOf, placeOf } from './json-fault.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/** As in the contract. */
export const MOST_BYTES = 16 * 1024;
export const MOST_LEVELS = 32;

/** Why a text is not valid metadata: where it is not JSON, or what is wrong with it as a whole. */
export type Flaw =
  | (Fault & { readonly line: number; readonly column: number })
  | { readonly kind: 'object' | 'large' };

/** Returns the size of all metadata in bytes, as JSON without spaces. */
export function bytesOf(metadata: Metadata): number {
  return new TextEncoder().encode(JSON.stringify(metadata)).length;
}

export type Read<Value> = { readonly value: Value } | { readonly flaw: Flaw };

/** @param levels around it */
export function readJson(text: string, levels = 0): Read<unknown> {
  const fault = faultOf(text, MOST_LEVELS - levels);
  return fault
    ? { flaw: { ...fault, ...placeOf(text, fault.at) } }
    : { value: JSON.parse(text) as unknown };
}

export function readMetadata(text: string): Read<Metadata> {
  const read = readJson(text);
  if ('flaw' in read) return read;
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { flaw: { kind: 'object' } };
  }
  const metadata = value as Metadata;
  return bytesOf(metadata) > MOST_BYTES ? { flaw: { kind: 'large' } } : { value: metadata };
}

/** Returns the names of the fields that differ, in order. */
export function differencesOf(metadata: Metadata, other: Metadata): readonly string[] {
  const names = new Set([...Object.keys(metadata), ...Object.keys(other)]);
  return [...names].filter((name) => !isSameField(metadata, other, name)).toSorted();
}

export function isSameField(metadata: Metadata, other: Metadata, name: string): boolean {
  const isIn = Object.hasOwn(metadata, name);
  if (isIn !== Object.hasOwn(other, name)) return false;
  return !isIn || canonicalJson(metadata[name]) === canonicalJson(other[name]);
}

export function withField(metadata: Metadata, name: string, value: unknown): Metadata {
  return { ...metadata, [name]: value };
}

export function withoutField(metadata: Metadata, name: string): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== name));
}
