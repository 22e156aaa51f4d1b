import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';

// TypeBox stops looking after 8 errors, and one field too many counts as two: whoever is told what is wrong
// should be told all of it.
Settings.Set({ maxErrors: 64 });

export { Compile };
