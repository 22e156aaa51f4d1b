import type { EN } from './en.ts';
import type { Translation } from './format.ts';

export type TextKey = keyof typeof EN;
/** What every language has. */
export type Catalogue = Translation<typeof EN>;
