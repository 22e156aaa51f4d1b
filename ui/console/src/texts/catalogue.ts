import type { en } from './en.ts';
import type { Translation } from './format.ts';

export type TextKey = keyof typeof en;
/** What every language has. */
export type Catalogue = Translation<typeof en>;
