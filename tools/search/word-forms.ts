import { stemOf } from "./stem.ts";

/*
 * English words with related stems: irregular forms, which a stemmer does not join, and words of similar meaning.
 */

/** The forms of a word that the stemmer does not join. */
const FORMS = `
arise arose arisen, bear bore born borne, beat beaten, become became, begin began begun, bend bent, bind bound, bite bit
bitten, bleed bled, blow blew blown, break broke broken, bring brought, build built, burn burnt, buy bought, catch caught,
choose chose chosen choice, come came, deal dealt, dig dug, draw drew drawn, drink drank drunk, drive drove driven, eat ate
eaten, fall fell fallen, feed fed, feel felt, fight fought, flee fled, fly flew flown flight, forbid forbade forbidden,
forget forgot forgotten, freeze froze frozen, grind ground, grow grew grown growth, hang hung, hear heard, hide hid hidden,
hold held, keep kept, kneel knelt, know knew known, lead led, lean leant, leave left, lend lent, light lit, lose lost loss,
meet met, pay paid, ride rode ridden, ring rang rung, rise rose risen, run ran, seek sought, sell sold sale, send sent,
shake shook shaken, shine shone, shoot shot, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept,
slide slid, speak spoke spoken, spend spent, spin spun, spring sprang sprung, stand stood, steal stole stolen, stick stuck,
strike struck, swear swore sworn, sweep swept, swim swam swum, swing swung, teach taught, tear tore torn, think thought,
throw threw thrown, understand understood, wake woke woken, wear wore worn, weave wove woven, win won winner, wind wound,
withdraw withdrew withdrawn, write wrote written, lie lay lain, lay laid,
man men, woman women, child children, foot feet, tooth teeth, goose geese, mouse mice, ox oxen, leaf leaves, half halves,
wolf wolves, knife knives, life lives, index indices, matrix matrices, vertex vertices, axis axes, analysis analyses,
nucleus nuclei, radius radii, cactus cacti, bacterium bacteria, datum data, phenomenon phenomena, person people,
good better best, bad worse worst, far farther farthest further furthest distance, old elder eldest
`;

/** Words that ask and answer the same thing, in texts of any subject. */
const MEANINGS = `
long length lasts last duration takes take, high height tall, deep depth, wide width broad, heavy weigh weight mass,
hot warm temperature heat, fast speed velocity quick rapid, expensive cost price pay charge worth, distance far, age old,
strong strength, big large size, small little tiny, many number amount quantity, begin start commence open opening,
end finish stop close conclude, found establish set create form start, build construct erect, invent develop devise create,
make produce manufacture, discover find identify, write author compose pen, buy purchase acquire, sell sale, die death dead
killed, born birth, live inhabit reside, inhabitant population people resident citizen, happen occur take, cause reason why
because lead result, use employ utilise utilize, need require necessary, contain hold include consist comprise, call name
known term, mean define definition stand meaning, show display, rise increase grow climb, fall drop decrease decline sink
shrink, big great, first initial, last final, whole entire total, sum total, help assist, fix repair, begin origin, war
conflict, ship vessel boat, car vehicle automobile, doctor physician, ruler king queen monarch emperor, fight battle, town
city village, located lie lies situated stand stands place, job work profession, kid child, add put stir mix combine, bake
cook oven, boil simmer, cut chop slice, remove take, wait rest leave sit, keep store, turn convert change become transform,
return give, send transmit, receive get obtain, allow permit let, forbid ban prohibit, choose select pick, check test verify,
error mistake bug, fast quickly, easy simple, hard difficult, correct right, dangerous hazardous, sick ill, disease illness,
money cash, salary wage income earn, profit gain earnings, loss lose, debt loan owe, interest rate, border boundary, coast
shore, mountain peak summit, river stream, area surface, melt liquid melting, freeze solid freezing, gas vapour vapor, burn
combust fire, travel journey go trip, arrive reach come, leave depart, sign signed agree treaty, attack invade, defeat beat,
win victory, rule reign govern, succeed follow, replace substitute, famous known, main chief principal, percent percentage
share proportion, half halve, twice double, yearly annual annually, daily day, monthly month, per each, release publish
launch issue, introduce bring, language tongue, run execute, store save, delete remove erase, raise increase lift, reduce
lower cut decrease, protect guard, cover coat, colour color, grey gray, litre liter, metre meter, centre center
`;

const FORM_GROUPS = groupsOf(FORMS);
const MEANING_GROUPS = groupsOf(MEANINGS);

/** How much a word counts that has a related stem, 0 to 1. */
export const SIMILAR = 0.7;

/** The stems that count as a stem, with how much each counts. */
export function relatedStems(word: string): Map<string, number> {
  const stem = stemOf(word);
  const related = new Map<string, number>();
  for (const other of MEANING_GROUPS.get(stem) ?? []) related.set(other, SIMILAR);
  const forms = [stem, ...(FORM_GROUPS.get(stem) ?? []), ...comparisons(word)];
  for (const form of forms)
    for (const other of MEANING_GROUPS.get(form) ?? []) related.set(other, SIMILAR);
  for (const form of forms) related.set(form, 1);
  return related;
}

/** `dense` of `denser` and `densest`, and both of `dense`. */
function comparisons(word: string): string[] {
  const base = /^(\w{3,}?)(?:er|est)$/.exec(word)?.[1];
  const bases =
    base === undefined
      ? [word]
      : [base, `${base}e`, base.replace(/i$/, "y"), base.replace(/(\w)\1$/, "$1")];
  return bases.flatMap((one) => {
    const short = one.replace(/e$/, "").replace(/y$/, "i");
    const doubled = /[^aeiou][aeiou][bdgmnpt]$/.test(one) ? one + one.at(-1) : short;
    return [one, `${short}er`, `${short}est`, `${doubled}er`, `${doubled}est`].map(stemOf);
  });
}

function groupsOf(list: string): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const line of list.replace(/\s+/g, " ").split(",")) {
    const stems = [...new Set(line.trim().split(" ").map(stemOf))];
    for (const stem of stems) {
      const others = groups.get(stem) ?? new Set<string>();
      for (const other of stems) if (other !== stem) others.add(other);
      groups.set(stem, others);
    }
  }
  return groups;
}
