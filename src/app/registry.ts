import { providers } from "../models/define-provider.ts";
import { googleGenai } from "../models/providers/google-genai/provider.ts";
import { openai } from "../models/providers/openai/provider.ts";

/*
 * Everything that is built in, one line a definition. Nothing below `src/app` names what stands here.
 */

providers.add(openai);
providers.add(googleGenai);
