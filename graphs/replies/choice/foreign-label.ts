/* "The answer is" in other languages than English, up to the letter. A colon or a dash may stand for the verb. */

/** Chinese: `正确答案是`, `正确选项为`, `答案选`; `答案选项A` is one of the options. */
const CHINESE = [
  "【?(?:因此|所以)?,? ?(?<!不|不正[确確]的?|[错錯][误誤]的?)",
  "(?:(?:最[终終]|正[确確]|最佳|的){0,4}答案|(?:最[终終]|正[确確]|最佳|最合[适適]|最恰[当當]|最符合[^\\s不,。:;A-Za-z]{1,12})的?[选選][项項]|最[终終](?=[选選][择擇] ?[是为為:=]))",
  " ?(?:[应應][该該]?)?(?:(?: ?[是为為:=】])+(?: ?[选選][项項])?| ?[选選](?:[择擇](?: ?[是为為:=])?|(?![项項])))",
].join("");

/** Without a verb before the letter: `정답은 B입니다`, `正解はBです`, `सही उत्तर B है`, `Doğru cevap B şıkkıdır`. */
const VERBLESS = [
  "(?<![不오])(?:답|정답|答え|正解|解答|回答|正しい選択肢|الإجابة|الجواب|الخيار الصحيح)(?: الصحيحة?)? ?(?:[은는はい]|هي|هو)? ?[:=]?(?: ?(?:選択肢|선택지|옵션|보기|الخيار))?",
  "(?:(?<!गलत )(?:उत्तर|जवाब)|सही विकल्प)(?: है)?(?: ?[:=])?(?: विकल्प)?",
  "[Dd]oğru (?:cevap|yanıt|seçenek|şık) ?[:=]?",
].join("|");

const ARTICLE = "[Ll]a |[Ee]l |[Dd]ie |[Dd]e |[Aa] |[Hh]et |[Ll]['’]";
const WRONG =
  "(?:[Ff]alsch|[Mm]auvais|[Ff]out|[Vv]erkeerd|[Nn]iepoprawn|[Нн]еправильн|[Нн]еверн|[Yy]anlış)\\S{0,3} |[Ff]el |[Ff]orkert ";
const ANSWER = [
  "[Rr]espuesta|[Rr]éponse|[Aa]ntwort|[Aa]ntwoord|[Rr]esposta|[Rr]isposta|[Оо]твет(?:ом)?|[Вв]ідповідь|[Cc]evap",
  "[Đđ]áp án|[Cc]âu trả lời|[Oo]dpowiedź|[Oo]dpověď|[Ss]var(?:et)?|[Jj]awaban(?:nya)?|[Rr]ăspuns(?:ul)?|[Vv]astaus|[Vv]álasz",
  "[Oo]pción correcta|[Aa]lternativa correc?ta|[Oo]pção correta|[Oo]ption correcte|[Oo]pzione corretta|(?:richtige|korrekte) Option",
  "[Pp]hương án đúng|(?<![Нн]е)(?:[Пп]равильный|[Вв]ерный) вариант(?: ответа)?|(?<![Нн]е)[Пп]равильний варіант(?: відповіді)?",
].join("|");
const RIGHT =
  "correct[ae]|corretta|correta|corect|exact[ae]|esatta|giusta|final|finale|bonne|đúng|chính xác|yang (?:paling )?(?:benar|tepat)";
const IS =
  " ?(?:este?|es|ist|lautet|is|é|è|är|er|je|to|adalah|là|является|:|=)(?: (?:donc|also|portanto|quindi|entonces))?| [—–-](?: это)?| это";
const OPTION =
  "opción|letra|alternativa|opção|option|lettre|réponse|opzione|lettera|risposta|Antwort|Buchstabe|optie|letter|antwoord|alternativ|вариант|варіант|opsi|pilihan|phương án|lựa chọn";
/** Case-sensitive, since `A` is a letter of an option. */
const BEFORE_LETTER = "(?-i: (?:la|el|die|de|a|o)(?= [([]?[A-Z](?![a-z])))";

/** Romance, Germanic and Slavic languages, Indonesian and Vietnamese: `La respuesta correcta es la opción`. */
const WITH_VERB = [
  `(?:${ARTICLE})?(?:bonne |richtige |juiste )?(?<!${WRONG})(?:${ANSWER})(?: (?:${RIGHT}))?`,
  `(?:${IS})(?: ?:)?(?: (?:${ARTICLE}|[Oo] )?(?:${OPTION})(?= )|${BEFORE_LETTER})?`,
].join("");

/** The source of a pattern without groups that capture. */
export const FOREIGN = [CHINESE, VERBLESS, WITH_VERB].join("|");
