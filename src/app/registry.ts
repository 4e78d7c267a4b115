/*
 * Everything that is built in, one line a definition. Nothing below `src/app` names what is listed here.
 */
import { agent } from "../../graphs/agent/strategy.ts";
import { blind } from "../../graphs/blind/strategy.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { direct } from "../../graphs/direct/strategy.ts";
import { extractive } from "../../graphs/extractive/strategy.ts";
import { keyFrame } from "../../graphs/key-frame/strategy.ts";
import { random } from "../../graphs/random/strategy.ts";
import { rrd } from "../../graphs/rrd/strategy.ts";

strategies.add(direct, blind, keyFrame, rrd, agent, extractive, random);
