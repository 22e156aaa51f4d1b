/**
 * Functions of Node.js modules of which startup needs little: an import creates all exports of a module, which takes 10
 * ms for these two.
 */
export const { isUtf8 } = process.getBuiltinModule('node:buffer');
export const { isDeepStrictEqual } = process.getBuiltinModule('node:util');
