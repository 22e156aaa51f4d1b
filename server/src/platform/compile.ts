import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';

// By default TypeBox stops after 8 errors, and an unknown field counts as two: the client should get all of them.
Settings.Set({ maxErrors: 64 });

export { Compile };
