/*
 * Everything that is built in. Nothing below `src/app` names what is listed here.
 */
import { agent } from "../../graphs/agent/strategy.ts";
import { blind } from "../../graphs/blind/strategy.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { direct } from "../../graphs/direct/strategy.ts";
import { extractive } from "../../graphs/extractive/strategy.ts";
import { keyFrame } from "../../graphs/key-frame/strategy.ts";
import { random } from "../../graphs/random/strategy.ts";
import { rrd } from "../../graphs/rrd/strategy.ts";
import { providers } from "../models/define-provider.ts";
import { googleGenai } from "../models/providers/google-genai/provider.ts";
import { openai } from "../models/providers/openai/provider.ts";

strategies.add(direct, blind, keyFrame, rrd, agent, extractive, random);
providers.add(openai, googleGenai);
