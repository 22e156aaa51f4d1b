import { spawnSync } from 'node:child_process';

/** The last commit before subjects were checked. */
const LAST_UNCHECKED = '626a4dfc27e4e202b0ff62ea48fbb40a4136564b';
const MOST_CHARACTERS = 72;

/** Verbs with which a subject can start: those that name what happens to the code, the tests or the documents. */
const VERBS = new Set(
  (
    'Accept Add Adjust Allow Apply Authenticate Bind Bound Build Bump Bundle Cache Call Cancel Change Check Choose Clarify ' +
    'Clean Clear Close Collect Compare Compile Complete Compute Configure Connect Convert Copy Correct Count Create ' +
    'Cut Decode Define Delete Deliver Deny Derive Describe Detect Disable Display Document Drop Edit Enable Encrypt ' +
    'End Enforce Escape Estimate Exchange Exclude Expect Explain Export Expose Extend Extract Fail Fetch Fill Filter ' +
    'Find Fix Format Generate Grant Group Guard Handle Hash Hide Hold Ignore Implement Import Improve Include Increase ' +
    'Index Inline Install Invalidate Issue Join Keep Label Limit Link List Load Lock Log Lower Make Mark Match Measure ' +
    'Merge Migrate Move Name Normalize Notify Number Offer Open Order Package Parse Pass Pin Polish Poll Prefer Prepare ' +
    'Preserve Prevent Print Protect Prove Publish Queue Raise Read Record Redirect Reduce Refactor Refresh Regenerate ' +
    'Register Reject Release Remove Rename Render Renew Renumber Reorder Repeat Replace Report Require Reset Resolve ' +
    'Restore Restrict Restructure Retake Retry Return Reuse Reverse Review Revoke Reword Rewrite Rotate Run Save Seal Search ' +
    'Select Send Separate Serve Set Share Shorten Show Shrink Sign Simplify Skip Sort Source Specify Split Start State Stop ' +
    'Store Stream Suggest Support Switch Test Throttle Translate Trim Try Type Undo Unify Update Upgrade Upload Use ' +
    'Validate Verify Wait Warm Warn Widen Wrap Write'
  ).split(' '),
);

/** Subjects that are too long, or that do not start with a verb. Merges are not checked. */
export function findSubjectProblems(subjects: readonly string[]): string[] {
  return subjects.flatMap((subject) => {
    const [word = ''] = subject.split(' ');
    if (subject.length > MOST_CHARACTERS)
      return [`"${subject}" has ${subject.length} characters, at most ${MOST_CHARACTERS}`];
    if (!VERBS.has(word)) return [`"${subject}" starts with "${word}", which is not a listed verb`];
    if (!subject.includes(' ') || subject.endsWith('.'))
      return [`"${subject}" is not a verb and an object without a period`];
    return [];
  });
}

/** The subjects since checking started; none without git, or in a copy with a shorter history. */
export function subjectsToCheck(root: string): string[] {
  const { status, stdout } = spawnSync(
    'git',
    ['log', '--no-merges', '--format=%s', `${LAST_UNCHECKED}..HEAD`],
    { cwd: root, encoding: 'utf8' },
  );
  return status === 0 ? stdout.split('\n').filter((subject) => subject !== '') : [];
}
