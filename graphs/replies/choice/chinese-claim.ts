/* Chinese sentences that state an option after it, or against another one: `因此B选项最符合题意`, `答案不是A,而是B`. */

const OPTION = "(?:[选選][项項]|[项項])";
const LETTER = `(?:[选選][项項] ?)?[(]?([A-Z])[)]? ?${OPTION}?`;
const OTHER = `(?:[选選][项項] ?)?[(]?[A-Z][)]? ?${OPTION}?`;
const CONSEQUENCE = "因此|所以|因而|故而?|于是|於是|综上所述|綜上所述|综上|綜上|由此可[见見知]";
const LEAD = `(?:(${CONSEQUENCE})|[显顯]然|我[认認][为為]|我[觉覺]得|最[终終]|只有|[结結][论論]:|答案:)`;
const BEST =
  "最(?:合[适適]|恰[当當]|[贴貼]切|准[确確]|符合(?:[题題][意目]|文意|[问問][题題]|(?:[视視][频頻]|影片|[画畫]面|故事|[剧劇]情)[中里]?的?)?(?:[内內]容|描述|要求|情[节節]|情[况況]|事[实實]|信息|[证證][据據]|主[题題])?)";
const RIGHT = [
  "才?是?正[确確]的?",
  `[是为為](?:唯一的?)?(?:正[确確]|最佳|最[终終])的?(?:答案|[选選][项項])`,
  `(?:是|才是)?${BEST}(?:的(?:答案|[选選][项項])?)?`,
].join("|");
const CLAIM = new RegExp(
  [
    `(?:^|[。!?;] ?|, ?)(?:${LEAD},? ?)*(?:`,
    `${LETTER}(?:${RIGHT})`,
    `|(?:正[确確]的?|最[终終])?(?:答案|[选選][项項])[并並]?不是${OTHER},? ?而是${LETTER}`,
    `|(?:[本此该該][题題]|[这這]道?[题題])?(?:[应應][该該]?)?[选選][择擇]?(?:[选選][项項] ?)?[(]?([A-Z])[)]? ?${OPTION}`,
    `|(?:(?:[本此该該][题題]|[这這]道?[题題])(?:[应應][该該]?)?|[应應][该該]?)[选選][择擇]?${LETTER}`,
    ")[。.!]?$",
  ].join(""),
);
/** In front of the claim of the same sentence: conditions, and what others think. */
const SUPPOSED =
  /如果|假如|假[设設定]|倘若|若|要是|除非|[认認][为為]|以[为為]|[觉覺]得|有人|是否|[难難]道|[并並]非|看似|似乎|好像|表面|乍看/;
const REPORTED = /[说說称稱]|表示/;
/** `A,B是正确答案`: several letters. */
const LISTED = new RegExp(
  `(?:^|[。!?;,、和与與及]) ?(?:[选選][项項] ?)?[(]?[A-Z][)]? ?${OPTION}?$`,
);
/** A question for the option that is wrong: the one that is right is not its answer. */
const ASKS_WRONG =
  /(?:[选選]出|要求|找出|哪)[^。!?\n]{0,8}(?:[错錯][误誤]|不正[确確]|不符|不[属屬])/;
/** An option that the reply also calls right. */
const RIVAL = new RegExp(
  `([A-Z])[)]? ?${OPTION}?(?:也|更|才|都|同[样樣])*[是为為]?(?:最(?!不)|更|正[确確]|合[适適])`,
  "g",
);
/** The claim is short, and backtracking over a long line is slow. */
const SAID_CHARS = 300;

/** The letter that the end of a reply in Chinese states; undefined without one, and if another option is called right as well. */
export function chineseClaim(text: string): string | undefined {
  const line = (text.split("\n").at(-1) ?? "").trim().slice(-SAID_CHARS);
  const match = CLAIM.exec(line);
  if (match === null) return undefined;
  const [, consequence, ...letters] = match;
  const letter = letters.find((one) => one !== undefined);
  const said = line.slice(0, match.index);
  const before = said.split(/[。!?;]/).at(-1) ?? "";
  if (SUPPOSED.test(before) || (consequence === undefined && REPORTED.test(before)))
    return undefined;
  if (LISTED.test(said) || ASKS_WRONG.test(text)) return undefined;
  const isRivalled = [...text.matchAll(RIVAL)].some(([, other]) => other !== letter);
  return isRivalled ? undefined : letter;
}
