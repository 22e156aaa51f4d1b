/** The service of the samples. The script of the pages replaces it with the origin of the page. */
export const EXAMPLE_ORIGIN = 'https://id.example.com';
