/** The languages of the pages (BCP 47): what is shown to people is walked in each of them. */
export const LOCALES: readonly string[] = ['en', 'de', 'fr', 'es', 'ja', 'ar'];

/** The languages whose outlines are reviewed and that are tested with long texts: one of each direction. */
export const REVIEWED = LOCALES.filter((locale) => ['en', 'ar'].includes(locale));
