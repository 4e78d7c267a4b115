/** The collection of the models that users tuned; a model outside it is one of Gemini's. */
const TUNED = "tunedModels/";
const BUILT_IN = "models/";

/** A model's name without the collection that Gemini's own lists write before it. */
export function geminiName(model: string): string {
  return model.startsWith(BUILT_IN) ? model.slice(BUILT_IN.length) : model;
}

/** The path of a model in the API, below the version. */
export function modelPath(model: string): string {
  return model.startsWith(TUNED) ? model : `${BUILT_IN}${geminiName(model)}`;
}
