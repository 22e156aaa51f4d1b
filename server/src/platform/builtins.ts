/**
 * Functions from Node.js modules that startup otherwise hardly needs: an import would create all exports of a module,
 * which takes 10 ms for these two.
 */
export const { isUtf8 } = process.getBuiltinModule('node:buffer');
export const { isDeepStrictEqual } = process.getBuiltinModule('node:util');
