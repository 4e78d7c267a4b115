/* Clips in Chinese: `片段3 -> 片段1 -> 片段2`. */

const CLIP = /(?:[视視][频頻]|影片)?片段 ?(?=[\d０-９])/g;
const SENTENCE = /[^。！!？?；;\n]+[。！!？?；;]?/g;
/** A sentence that does not give its clips as the answer: it denies, supposes or asks, or says how the clips were given. */
const UNSTATED =
  /不是|[并並]非|而非|不[对對]|不正[确確]|[错錯]|[无無]法|不能|不知|不[确確]定|[难難]以|如果|假如|假[设設]|若|[吗嗎呢？?]|是否|可能|也[许許]|[认認][为為]|以[为為]|原始|原[来來本]|[给給]定|打[乱亂]|[输輸]入|展示|共有|包含|分[别別]/;
const WITHDRAWN = /不[对對]|[错錯]|不正[确確]|有[误誤]|不[确確]定/;

/** A reply with `Clip 3` for `片段3` in the sentences that state an order. */
export function withEnglishClips(reply: string): string {
  const last = [...reply.matchAll(CLIP)].at(-1);
  if (last === undefined || WITHDRAWN.test(reply.slice(last.index))) return reply;
  return reply.replace(SENTENCE, (sentence) => {
    const at = sentence.lastIndexOf("而是") + 1;
    const stated = sentence.slice(at);
    return UNSTATED.test(stated) ? sentence : sentence.slice(0, at) + stated.replace(CLIP, "Clip ");
  });
}
