import { createRequire } from 'node:module';
import type * as Sodium from 'sodium-native';
import { lazy } from '../lazy.ts';

/** libsodium: a CommonJS package, loaded on first use, because it locates its binding relative to itself (10 ms). */
export const sodium = lazy(() => createRequire(import.meta.url)('sodium-native') as typeof Sodium);
