// Test files that take more than ten seconds of CPU time on the reference machine (tools/test/budget.ts), and why.

export const EXPENSIVE: Readonly<Record<string, string>> = {
  'cli/src/embedded.test.ts': 'Services and commands as processes, on embedded databases.',
  'cli/src/rotation.test.ts': 'Rotates master keys, also while two nodes run and after SIGKILL.',
  'server/src/platform/db/migrate.test.ts': 'Migrates new servers, and compares both engines.',
  'server/src/platform/db/prepared-database.test.ts':
    'Runs initdb and all migrations on the embedded database.',
  'tests/conformance/openapi.test.ts': 'An answer of every route, validated against the document.',
  'tests/console/states.test.ts': 'Every screen in each of its states.',
  'tests/console/walk.test.ts': 'Every screen in all languages.',
  'tests/e2e/build.test.ts': 'Builds the service, and starts it in empty folders.',
  'tests/e2e/first-start.test.ts': 'First starts, on both engines.',
  'tests/e2e/readme.test.ts': 'A first start, and a login of an application in Chromium.',
  'tests/faults/codes.test.ts': 'Kills a node while codes are exchanged.',
  'tests/faults/crash.test.ts': 'Kills a node during rotations, on both engines.',
  'tests/faults/deletion.test.ts': 'Kills a node that deletes a tenant.',
  'tests/faults/flood.test.ts': 'Logins with real password hashes during a flood of guesses.',
  'tests/faults/matrix.test.ts': 'Clients keep a node busy through seventeen faults.',
  'tests/faults/rolled-back.test.ts': 'Every route that changes something, while commits fail.',
  'tests/faults/storm.test.ts': 'Kills nodes, connections and the database under load.',
  'tests/faults/webhooks.test.ts': 'Kills nodes and databases while deliveries are queued.',
  'tests/isolation/matrix.test.ts': 'Every route, with each kind of credential of another tenant.',
  'tests/isolation/types.test.ts': 'Compiles what the types have to refuse.',
  'tests/pages/hostile-texts.test.ts': 'Every page with texts of attackers, in Chromium.',
  'tests/pages/walk-translations.test.ts': 'Every page in the other languages, in Chromium.',
  'tests/pages/walk.test.ts': 'Every page in Chromium.',
};
