/*
 * Whether the words around a letter make it the answer of a reply. They do not in `if the answer is B`, in `the second best
 * choice is B` or in `B is wrong`, nor if a later sentence takes the answer back.
 */

/** How much of the text before a label is read. */
const BEFORE_CHARS = 200;

/** The noun before `is X` is not the answer of the reply: `the other plausible option`, `the student's answer`. */
const DISOWNED =
  /\b(?:to|second|other|another|alternative|plausible|wrong|incorrect|tempting|least|worst|(?:student|user|teacher|narrator)['’]s|their|his|her)(?: (?!(?:so|thus|then|hence|therefore|and|but|the|my|final|correct|right|is)\b)[\w-]+){0,2} ?$/i;
/** Holds for the main clause of its sentence. */
const CONDITION = /\b(?:if|suppose|supposing|assume|assuming|unless)\b/i;
/** Such a clause ends where the reply's own begins. */
const DOUBTED =
  /\b(?:whether|unlikely that|false that|no (?:evidence|sign|proof) that)\b|\b(?:do|does|did|can|could|would)(?: ?not|n['’]t) (?:\w+ )?(?:think|believe|say|conclude|mean|claim)\b/i;
const CONCLUDED =
  /(?<!\bif )\b(?:so|thus|hence|therefore),? (?:(?:the|my|final|correct|best|right) )*$/i;
/** `I would say` is the reply's own opinion. */
const OPINION =
  /(?<!\bI )\b(?:may|might|could|would|people|many|some|others) (?:\w+ )?(?:think|believe|say|assume|argue|guess|choose)\b|\b(?:claims|(?:argues|thinks|believes) that)\b/i;
const REPORT =
  /\b(?:says|(?:explains|writes) that|I (?:\w+ )?thought(?! (?:about|through|hard|carefully)\b))\b/i;
/** A main clause follows that is the reply's own. */
const TURN = /, (?:but|however|yet)\b(?!.*\bthat\b)/i;
/** A condition ends only with `but the answer is`: in `if you skip the intro, but count the credits` it goes on. */
const OWN_TURN = /, (?:but|yet) (?:(?:so|the|my|final|correct|actual|real|best|right) )*$/i;
/** After a report also such words; the last `and` of a list belongs to the report. */
const CONSEQUENCE =
  /, (?:which means|so|therefore|thus|hence)\b|(?<!, [^,]{0,200}), and\b(?!.*\bthat\b)/i;
/** A premise of a calculation, and what results from it. */
const PREMISE = /\bassuming [^,]*, (?:then )?we (?:get|have|find|obtain)\b/i;

/** Whether a label that begins at a place of the text belongs to a condition, or to what others may think. */
export function isSubordinate(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - BEFORE_CHARS), at);
  const sentence = before.split(/[.!?;]\s|\n/).at(-1) ?? "";
  const clause = sentence.split(TURN).at(-1) ?? "";
  const isConditional = CONDITION.test(sentence.replace(PREMISE, "")) && !OWN_TURN.test(sentence);
  const isOfOthers = OPINION.test(clause) || REPORT.test(clause.split(CONSEQUENCE).at(-1) ?? "");
  return (
    DISOWNED.test(sentence) ||
    ((isConditional || isOfOthers || DOUBTED.test(clause)) && !CONCLUDED.test(sentence))
  );
}

const WRONG =
  /^\$? ?(?:(?:is|was|are|seems|looks) (?:\w+ )?(?:wrong|incorrect|not|false|worst|(?<!\bat )least)\b|(?:isn['’]t|does ?n['’o]t|cannot|can['’]t)\b|(?:では(?:な|ありません)|じゃな|[가이] ?아[니닙]|不[是对對])|(?:[^\s.,;:!?()।]{1,12} ){0,2}(?:değil|नहीं))/i;
/** `B = 4` is an equation, `B could also fit`, `B if x is 4` and `B? Let's check` are not decided. */
const UNDECIDED = /^ ?(?:=(?!>)|\?|[≠≈]|吗|(?:could|might|may|if)\b)/i;

const OPERATOR = String.raw`[+<>≤≥·×^∩∪/]|\\(?:cap|cup|cdot|times|lt|gt|leq?|geq?)(?![a-z])`;
const TO = String.raw`-+>|[→⇒⟶➔➜⮕]|\\(?:to|(?:long)?rightarrow)(?![a-z])`;
/** `+ B = 14`, `/ 2`, `→ C`, `-B-E`; `- A Red Car`, `- U.S. Army` and `-> 14 cm` may be the words of an option. */
const EXPRESSION = new RegExp(
  [
    String.raw`^\$? ?(?:(?:${OPERATOR}) ?[$({]*(?:[A-Za-z](?![\p{L}>])|\d)`,
    String.raw`(?:${TO}) ?\$?[A-Z](?![\p{L}\p{N}'’]| \p{Ll})`,
    String.raw`[-–−] ?(?:[A-Z](?![\p{L}\p{N}'’]| \p{Ll}|(?<= [-–−] .) \p{L}{2}|\.\p{L})|\d+ ?=))`,
  ].join("|"),
  "u",
);

/** Whether what follows a letter makes it a name in an expression, such as `A + B` or `A → C`. */
export function isExpression(rest: string): boolean {
  return EXPRESSION.test(rest);
}

/** Whether what follows a letter calls it wrong. */
export function isCalledWrong(rest: string): boolean {
  return WRONG.test(rest);
}

/** Whether what follows a labelled letter shows that the letter is not the answer. */
export function isUnasserted(rest: string): boolean {
  return WRONG.test(rest) || UNDECIDED.test(rest);
}

const CORRECTION =
  /(?:^|[.!?…\n]["')]?\s?|[—–-] ?|, |\bbut )(?:(?:no,? )?wait(?:[,.!:…—–-]| (?:no|that|actually)\b)|actually,? (?:it|that|the (?:\w+ )?(?:answer|option|order))(?: is(?! (?:also )?(?:shown|seen|visible|clear|obvious|confirmed|supported|stated|given|written)\b)|['’]s| should)|on (?:second |further )?(?:reflection|thought)s?\b|correction ?:|(?:actually,? )?let me re-?(?:consider|check|think|evaluate|examine)|I made an? (?:\w+ )?(?:error|mistake)|that(?:['’]s| is| was) (?:wrong|incorrect|not (?:right|correct))|scratch that\b|(?:sorry,? )?I mean(?:t)?\b|(?:no|(?:hmm,? )?actually|sorry),? (?:option )?\(?[A-Z]\)?[.!]?(?=\s*(?:$|\n)))/gi;

/** `not A but B`, `isn't A; it's B`, `can't be A, so it is B`, `is not A, C or D. It is B` */
const BUT_THIS =
  /(?:\b(?:is |it['’]s )?not|\b(?:isn|can|couldn|mustn)['’]t(?: be)?|\b(?:cannot|can not|could not) be) (?:option )?["'(]*[A-Z]["')]*(?:,? (?:(?:or|nor|and) )?["'(]*[A-Z]["')]*){0,10}[,;.]? (?:but(?: rather)?|rather|(?:so )?[Ii]t(?: is|['’]s| must be)) (?:option )?(?=["'(]*[A-Z](?![\p{L}\p{N}'’]))/gu;
/** `B, not A`, `B (not A or C)` */
const NOT_THAT =
  /(?<=(?<![\p{L}\p{N}])[A-Z]["')]{0,2}),? \(?(?:not|rather than|instead of) (?:option )?["'(]*[A-Z](?:["')]* (?:or|and) ["'(]*[A-Z])?["')]*(?=[.!]?\s*(?:$|\n))/gu;

/** Without the letters that a sentence sets against its answer: `not A but B` and `B, not A` become `is B` and `B`. */
export function withoutRejected(text: string): string {
  return text.replace(BUT_THIS, "is ").replace(NOT_THAT, "");
}

const OTHER_VIEW =
  /\b(?:option|choice) \(?[A-Z]\)? (?:says|states|claims|suggests|describes|mentions|implies|is|assumes)\b|\b(?:people|some|others|many)\b/i;

/** Whether `that is wrong` is said of an option that the sentence before it describes. */
function isAboutOther(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - BEFORE_CHARS), at);
  return OTHER_VIEW.test(before.split(/[.!?]\s|\n/).at(-1) ?? "");
}

/** Where the last self-correction of a text begins, such as `Wait, that is wrong.`; -1 without any. */
export function lastCorrection(text: string): number {
  let at = -1;
  for (const { 0: said, index } of text.matchAll(CORRECTION))
    if (!/^\W*(?:but )?that/i.test(said) || !isAboutOther(text, index)) at = index;
  return at;
}

const CHECK =
  /(?:\blet me (?:double[- ]?check|verify)|(?<=(?:^|[.!?…\n—–-]) ?(?:(?:but|wait|oh|hmm),? )?)hold on|\blet['’]s (?:double[- ]?check|verify|check))\b/i;
/** The end of a check: `So it should be D.`, `Therefore, D.`, `16 + 2 = 18. D.` */
const CHECKED =
  /(?:[.!?\n] ?|\b(?:so|thus|therefore|hence),? )(?:(?:it|this|that) (?:is|should be|must be) )?(?:option )?\(?([A-Z])\)?[.!]?\s*$/i;

/** The letter that the check of an answer ends with: `The answer is C. Let me verify: ... So it should be D.` */
export function letterAfterCheck(text: string): string | undefined {
  const at = CHECK.exec(text)?.index;
  const letter = at === undefined ? undefined : CHECKED.exec(text.slice(at).slice(-100))?.[1];
  return letter === letter?.toUpperCase() ? letter : undefined;
}
