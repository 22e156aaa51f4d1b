import { createRequire } from 'node:module';
import type * as Sodium from 'sodium-native';
import { lazy } from '../lazy.ts';

/** libsodium, a CommonJS package that locates its binding relative to itself. Loading takes 10 ms, so on first use. */
export const sodium = lazy(() => createRequire(import.meta.url)('sodium-native') as typeof Sodium);
