import type { Rejection } from './request.ts';

/** RFC 6749 §4.1.2.1. */
export function invalid(description: string): Rejection {
  return { error: 'invalid_request', description };
}
