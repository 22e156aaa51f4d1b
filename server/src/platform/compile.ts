import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';

// By default TypeBox stops after 8 errors, and an unknown field counts as two, but the client should get all errors.
Settings.Set({ maxErrors: 64 });

export { Compile };
