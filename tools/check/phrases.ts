/**
 * Phrases that make English read as translated. Native writers also use those that have a limit above 0: the limits are
 * near the rates in the documentation of better-auth and Ory.
 */

export interface Phrase {
  readonly name: string;
  /** What to write instead. */
  readonly fix: string;
  readonly pattern: RegExp;
  /** How often a folder can have it per 10,000 words, rounded up to a whole number; 0 forbids it. */
  readonly limit: number;
  /** The limit in comments; default: the same. */
  readonly inComments?: number;
}

export const PHRASES: readonly Phrase[] = [
  {
    name: 'answer',
    limit: 0,
    inComments: 5,
    fix: 'respond, return, the response',
    pattern: /\banswer(s|ed|ing)?\b/gi,
  },
  {
    name: 'somebody, nobody',
    limit: 0,
    fix: 'name the subject: a user, an attacker, no one, all users',
    pattern: /\b(somebody|nobody|everybody|anybody)\b/gi,
  },
  { name: 'may', limit: 6, inComments: 9, fix: 'can, or is allowed to', pattern: /\bmay\b/g },
  {
    name: 'of which, to whom',
    limit: 2,
    inComments: 14,
    fix: 'split the sentence',
    pattern: /\b(of|by|to|for|from|with|in|on|at|after) (which|whom)\b/gi,
  },
  {
    name: 'at once',
    limit: 0,
    fix: 'immediately, or at the same time',
    pattern: /\bat once\b/gi,
  },
  {
    name: 'of its own',
    limit: 0.5,
    inComments: 5,
    fix: 'its own X, or a separate X',
    pattern: /\bof (its|their|your|his|our) own\b/gi,
  },
  {
    name: 'is no',
    limit: 1,
    inComments: 2,
    fix: 'is not a',
    pattern: /(?<!\bthere )\b(is|are|was|were) no (?!longer|more|less|one\b)\w+/gi,
  },
  {
    name: 'stays',
    limit: 0.5,
    inComments: 1,
    fix: 'remains, is kept, cannot be removed',
    pattern: /\bstay(s|ed|ing)?\b/gi,
  },
  { name: 'has to', limit: 1, fix: 'must', pattern: /\b(has|have|had) to\b/gi },
  {
    name: 'whoever',
    limit: 0,
    fix: 'anyone who, the user, the caller',
    pattern: /\b(whoever|whomever)\b/gi,
  },
  {
    name: 'begin',
    limit: 0.5,
    inComments: 1.5,
    fix: 'start',
    pattern: /\b(begin|begins|began|begun|beginning)\b/gi,
  },
  {
    name: 'beside',
    limit: 0,
    inComments: 1,
    fix: 'next to, alongside, in addition to',
    pattern: /\bbesides?\b/gi,
  },
  {
    name: 'told',
    limit: 0.5,
    fix: 'is notified, learns, reports, shows',
    pattern: /\b(told|tells?|telling)\b/gi,
  },
  { name: ', too', limit: 0, fix: 'also, before the verb', pattern: /, too\b(?! \w)/gi },
  {
    name: 'things that say',
    limit: 1,
    inComments: 1.5,
    fix: 'describes, shows, names, specifies',
    pattern: /\b(says|say (?:so|what|which|whether|why|that|where|how))\b/gi,
  },
  { name: 'alone', limit: 0.5, inComments: 4, fix: 'only', pattern: /\balone\b/gi },
  { name: 'nor', limit: 0.5, inComments: 4, fix: 'and … not, or', pattern: /\bnor\b/gi },
  {
    name: 'further',
    limit: 0,
    inComments: 4,
    fix: 'more, another, additional',
    pattern: /\bfurther\b/gi,
  },
  {
    name: 'goes on',
    limit: 0,
    fix: 'continues, remains valid',
    pattern: /\b(go|goes|going|went) on\b(?! (the|a|an)\b)/gi,
  },
  {
    name: 'where, for if',
    limit: 0,
    inComments: 3.5,
    fix: 'if, when',
    pattern: /(?:^[ \t>*/-]*|['"`]|[.:;] )Where (?![^.?]*\?)/gm,
  },
  {
    name: 'once, for after',
    limit: 0.5,
    inComments: 6,
    fix: 'after, as soon as',
    pattern:
      /\bonce (?:it|they|the|a|an|you|its|this|that|all|every|each)\b(?! (?:second|minute|hour|day|month)\b)/gi,
  },
  {
    name: 'from then on',
    limit: 0.2,
    inComments: 2,
    fix: 'delete it, or "starting with"',
    pattern: /\bfrom (?:then|now|there|here|that|this|\w+ \w+) on\b(?! (the|a|an)\b)/gi,
  },
  { name: 'in place of', limit: 0, fix: 'instead of', pattern: /\bin (place|lieu) of\b/gi },
  { name: 'mails', limit: 0, fix: 'emails', pattern: /\b(mails|mailed|mailing)\b/gi },
  {
    name: 'clause as subject',
    limit: 0.3,
    inComments: 16,
    fix: 'name the thing: "If the service is unreachable, the password is accepted."',
    pattern:
      /(?:^[ \t>*/-]*|['"`]|[.:;] )(?:What|Who) (?!is\b|are\b|does\b|do\b)[^.?!|\n]{3,80}[.](?=['"`\s]|$)/gm,
  },
  {
    name: 'meanwhile',
    limit: 0,
    inComments: 2.5,
    fix: 'in the meantime, concurrently',
    pattern: /\bmeanwhile\b/gi,
  },
  {
    name: 'draw, for generate',
    limit: 0,
    inComments: 1.5,
    fix: 'generate',
    pattern: /\b(drawn|draws|drew)\b/gi,
  },
  {
    name: 'of before',
    limit: 0.3,
    inComments: 1.5,
    fix: 'previous, earlier',
    pattern: /\b(of before|as before|from before|than before|the \w+ before(?=[.,;:)]))/gi,
  },
  {
    name: 'but for',
    limit: 0,
    fix: 'except',
    pattern: /\bbut for\b(?! (?:each|every|(?:the|a|an) (?:first|sake)))/gi,
  },
  { name: 'anew', limit: 0, fix: 'again', pattern: /\banew\b/gi },
  {
    name: 'in turn',
    limit: 0,
    inComments: 1.5,
    fix: 'alternating, interleaved',
    pattern: /\b(in turn|by turns|alternately)\b/gi,
  },
  { name: 'mend', limit: 0, fix: 'fix', pattern: /\bmend(s|ed|ing)?\b/gi },
  {
    name: 'e-mail',
    limit: 0,
    fix: 'email',
    pattern: /\be-mails?\b/gi,
  },
  {
    name: 'British spelling',
    limit: 0,
    fix: 'American spelling: organization, color, canceled, behavior, license',
    pattern:
      /\b(organis(e|es|ed|ing|ation|ations)|authoris\w+|recognis\w+|initialis\w+|normalis\w+|serialis\w+|customis\w+|minimis\w+|optimis(e|es|ed|ing|ation)|colours?|behaviours?|favour\w*|neighbour\w*|honour\w*|cancell(ed|ing)|labell(ed|ing)|centre[sd]?|catalogue[sd]?|licence[sd]?|defence|grey|whilst|towards|afterwards|enrol|enrols|fulfil|fulfils|judgement|artefacts?|analysed?)\b/gi,
  },
  {
    name: 'to log in',
    limit: 0,
    inComments: 40,
    fix: 'sign in, sign out; the noun is login',
    pattern: /\blog(s|ged|ging)? (in|out)\b(?! to (?:PostgreSQL|the database))/gi,
  },
  {
    name: 'wordy requests',
    limit: 0.3,
    inComments: 7,
    fix: 'the name of the field or parameter',
    pattern: /\b(what is asked for|is asked for|are asked for|asks for|that is asked)\b/gi,
  },
];

/** Phrases that a text on a screen must not contain, in addition. */
export const SCREEN_PHRASES: readonly Phrase[] = [
  {
    name: 'log in',
    limit: 0,
    fix: 'sign in, sign out, sign-in',
    pattern: /\b(log(s|ged|ging)?[ -](in|out)|logins?|logouts?)\b(?!\.\w| tokens?\b)/gi,
  },
  { name: 'Id', limit: 0, fix: 'ID', pattern: /(?<!\{)\b(Id|id|Ids|ids)\b(?!\})/g },
  { name: 'mail', limit: 0, fix: 'email', pattern: /\bmails?\b/gi },
  {
    name: 'too, as well',
    limit: 0,
    fix: 'also, before the verb',
    pattern: /\b(too(?=[.”"])|as well)/gi,
  },
  {
    name: 'It, as the first word',
    limit: 0,
    fix: 'name the subject',
    pattern: /(?:"|[.!?:] )(?:It|There|Such)\b/g,
  },
  { name: 'space before an ellipsis', limit: 0, fix: 'Loading…', pattern: / …/g },
  { name: 'refuse', limit: 0, fix: 'reject, deny, block', pattern: /\brefus(e|es|ed|ing|al)\b/gi },
  { name: 'straight apostrophe', limit: 0, fix: '’', pattern: /\w'\w/g },
];
